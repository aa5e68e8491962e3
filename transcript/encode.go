package transcript

import (
	"encoding/base64"
	"strconv"
	"time"
	"unicode/utf8"

	"helpdesk/jsonscan"
)

// timeLayout is RFC 3339 with all nine digits, so that the lines of a file
// align and sort.
const timeLayout = "2006-01-02T15:04:05.000000000Z"

// AppendRecord appends the record as one line of the file, its line feed
// included. What a [Reader] makes of the line is the same record.
func AppendRecord(dst []byte, r *Record) []byte {
	if r.Kind == KindHeader {
		h := r.Header
		if h == nil {
			h = &Header{}
		}
		return appendHeader(dst, h)
	}
	dst = append(dst, `{"record":`...)
	dst = jsonscan.AppendQuoted(dst, string(r.Kind))
	dst = append(dst, `,"seq":`...)
	dst = strconv.AppendUint(dst, r.Seq, 10)
	dst = appendTime(append(dst, `,"time":`...), r.Time)
	dst = appendInt(dst, "mono", int64(r.Mono))
	switch r.Kind {
	case KindData:
		dst = appendStream(dst, r)
		dst = appendData(dst, r)
	case KindStart:
		dst = appendInt(dst, "pid", int64(r.PID))
	case KindExit:
		switch {
		case r.Error != "":
			dst = appendString(dst, "error", r.Error)
		case r.Signal != "":
			dst = appendString(dst, "signal", r.Signal)
		default:
			dst = appendInt(dst, "status", int64(r.Status))
		}
	case KindEOF:
		dst = appendStream(dst, r)
		if r.Error != "" {
			dst = appendString(dst, "error", r.Error)
		}
	case KindDropped:
		dst = appendStream(dst, r)
		dst = appendInt(dst, "lines", r.Lines)
		dst = appendInt(dst, "bytes", r.Bytes)
	}
	return append(dst, "}\n"...)
}

func appendHeader(dst []byte, h *Header) []byte {
	dst = append(dst, `{"record":"header","format":"`+Format+`"`...)
	dst = appendInt(dst, "version", Version)
	dst = appendTime(append(dst, `,"started":`...), h.Started)
	dst = appendString(dst, "tool", h.Tool)
	if h.Command != nil {
		dst = appendStrings(dst, "command", h.Command)
	}
	if h.Redact != nil {
		dst = appendStrings(dst, "redact", h.Redact)
	}
	return append(dst, "}\n"...)
}

func appendStream(dst []byte, r *Record) []byte {
	dst = appendString(dst, "direction", string(r.Direction))
	return appendString(dst, "stream", string(r.Stream))
}

func appendData(dst []byte, r *Record) []byte {
	if r.Part > 0 {
		dst = appendInt(dst, "part", int64(r.Part))
		if r.Final {
			dst = append(dst, `,"final":true`...)
		}
	}
	if r.Torn {
		dst = append(dst, `,"torn":true`...)
	}
	if r.Redacted {
		dst = append(dst, `,"redacted":true`...)
	}
	if r.Withheld > 0 {
		dst = appendInt(dst, "withheld", r.Withheld)
	}
	if utf8.Valid(r.Data) {
		return jsonscan.AppendQuoted(append(dst, `,"text":`...), r.Data)
	}
	dst = append(dst, `,"base64":"`...)
	dst = base64.StdEncoding.AppendEncode(dst, r.Data)
	return append(dst, '"')
}

func appendInt(dst []byte, name string, v int64) []byte {
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	return strconv.AppendInt(dst, v, 10)
}

func appendString(dst []byte, name, v string) []byte {
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	return jsonscan.AppendQuoted(dst, v)
}

func appendStrings(dst []byte, name string, list []string) []byte {
	dst = append(append(append(dst, `,"`...), name...), `":[`...)
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonscan.AppendQuoted(dst, s)
	}
	return append(dst, ']')
}

func appendTime(dst []byte, t time.Time) []byte {
	dst = append(dst, '"')
	dst = t.UTC().AppendFormat(dst, timeLayout)
	return append(dst, '"')
}
