package transcript

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"helpdesk/jsonscan"
)

// errUnknownKind tells the Reader to pass over a record of a later version.
var errUnknownKind = errors.New("a record of an unknown kind")

// maxNesting is how deeply a record may nest. The known members nest two
// deep; the rest is room for members of later versions.
const maxNesting = 32

// fields collects the members of a record by name and remembers the first
// problem, so that the decoding below reads like the format's description.
type fields struct {
	members []jsonscan.Member
	err     error
}

// find returns the value of a member, nil when it is absent.
func (f *fields) find(name string) []byte {
	for _, m := range f.members {
		if jsonscan.NameIs(m.Name, name) {
			return m.Value
		}
	}
	return nil
}

func (f *fields) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf(format, args...)
	}
}

// required returns the value of a member that must be there.
func (f *fields) required(name string, kind jsonscan.Kind) []byte {
	value := f.find(name)
	switch {
	case value == nil:
		f.fail("the member %q is missing", name)
		return nil
	case jsonscan.KindOf(value) != kind:
		f.fail("the member %q is not a %s", name, kind)
		return nil
	}
	return value
}

func (f *fields) text(name string) string {
	return jsonscan.Unquote(f.required(name, jsonscan.String))
}

func (f *fields) optionalText(name string) string {
	if f.find(name) == nil {
		return ""
	}
	return f.text(name)
}

// count reads an integer from 0 to at most limit.
func (f *fields) count(name string, limit int64) int64 {
	value := f.required(name, jsonscan.Number)
	if value == nil {
		return 0
	}
	n, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil || n < 0 || n > limit {
		f.fail("the member %q is not an integer from 0 to %d", name, limit)
		return 0
	}
	return n
}

func (f *fields) optionalCount(name string, limit int64) int64 {
	if f.find(name) == nil {
		return 0
	}
	return f.count(name, limit)
}

func (f *fields) flag(name string) bool {
	value := f.find(name)
	if value == nil {
		return false
	}
	if jsonscan.KindOf(value) != jsonscan.Bool {
		f.fail("the member %q is not a boolean", name)
	}
	return string(value) == "true"
}

func (f *fields) moment(name string) time.Time {
	text := f.text(name)
	if f.err != nil {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		f.fail("the member %q is not an RFC 3339 time", name)
		return time.Time{}
	}
	return t.UTC()
}

func (f *fields) list(name string) []string {
	if f.find(name) == nil {
		return nil
	}
	list := []string{}
	for it := jsonscan.Iterate(f.required(name, jsonscan.Array)); it.Next(); {
		if jsonscan.KindOf(it.Value()) != jsonscan.String {
			f.fail("the member %q holds something that is not a string", name)
			return nil
		}
		list = append(list, jsonscan.Unquote(it.Value()))
	}
	return list
}

// parseRecord reads one line without its line end.
func parseRecord(line []byte, scratch []jsonscan.Member) (Record, []jsonscan.Member, error) {
	members, isObject, err := jsonscan.Members(scratch[:0], line, maxNesting)
	if err != nil {
		return Record{}, members, err
	}
	if !isObject {
		return Record{}, members, errors.New("the line is not a JSON object")
	}
	f := fields{members: members}
	rec := Record{Kind: Kind(f.text("record"))}
	if f.err != nil {
		return Record{}, members, f.err
	}
	switch rec.Kind {
	case KindHeader:
		rec.Header = f.header()
		return rec, members, f.err
	case KindData, KindStart, KindExit, KindEOF, KindDropped:
		rec.Seq = uint64(f.count("seq", math.MaxInt64))
		rec.Time = f.moment("time")
		rec.Mono = time.Duration(f.count("mono", math.MaxInt64))
		f.body(&rec)
		return rec, members, f.err
	default:
		return Record{}, members, errUnknownKind
	}
}

// header reads the members of a header. Of a header in another version only
// the name of the format and the version are looked at.
func (f *fields) header() *Header {
	if format := f.text("format"); f.err == nil && format != Format {
		f.fail("the format is %q, not %q", clip(format), Format)
	}
	h := &Header{Version: int(f.count("version", math.MaxInt32))}
	if f.err == nil && h.Version != Version {
		f.err = &VersionError{Version: h.Version}
	}
	if f.err != nil {
		return nil
	}
	h.Started = f.moment("started")
	h.Tool = f.text("tool")
	h.Command = f.list("command")
	h.Redact = f.list("redact")
	return h
}

// body reads the members that depend on the kind.
func (f *fields) body(rec *Record) {
	switch rec.Kind {
	case KindStart:
		rec.PID = int(f.count("pid", math.MaxInt32))
		return
	case KindExit:
		rec.Error = f.optionalText("error")
		rec.Signal = f.optionalText("signal")
		if rec.Error == "" && rec.Signal == "" {
			rec.Status = int(f.count("status", math.MaxUint32))
		}
		return
	}
	rec.Direction = Direction(f.text("direction"))
	rec.Stream = Stream(f.text("stream"))
	switch rec.Kind {
	case KindData:
		rec.Part = int(f.optionalCount("part", math.MaxInt32))
		rec.Final = f.flag("final")
		rec.Torn = f.flag("torn")
		rec.Redacted = f.flag("redacted")
		rec.Withheld = f.optionalCount("withheld", math.MaxInt64)
		rec.Data = f.data()
		if rec.Final && rec.Part == 0 {
			f.fail(`the member "final" stands without "part"`)
		}
	case KindEOF:
		rec.Error = f.optionalText("error")
	case KindDropped:
		rec.Lines = f.count("lines", math.MaxInt64)
		rec.Bytes = f.count("bytes", math.MaxInt64)
	}
}

// data reads the bytes from whichever of the two members holds them.
func (f *fields) data() []byte {
	text, coded := f.find("text"), f.find("base64")
	switch {
	case text != nil && coded != nil:
		f.fail(`the record has both "text" and "base64"`)
	case text != nil:
		if value := f.required("text", jsonscan.String); value != nil {
			return jsonscan.AppendUnquoted(make([]byte, 0, len(value)-2), value)
		}
	case coded != nil:
		data, err := base64.StdEncoding.Strict().DecodeString(f.text("base64"))
		if err != nil && f.err == nil {
			f.fail(`the member "base64" is not base64: %w`, err)
		}
		return data
	default:
		f.fail(`the record has neither "text" nor "base64"`)
	}
	return nil
}

// clip keeps a foreign word from filling an error message.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
