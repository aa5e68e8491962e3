package mcp

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"helpdesk/jsonscan"
)

// InputRequest is what a server asks its client in the middle of a request:
// one of *[ElicitFormParams], *[ElicitURLParams], *[CreateMessageParams] and
// *[ListRootsParams], or an *[UnknownInputRequest]. In revision 2026-07-28 it
// is part of an [InputRequiredResult], before it is a request of its own.
type InputRequest interface {
	// Method is the request's method, for example elicitation/create.
	Method() string
	// ParamsFor returns the params as a revision writes them, nil for none.
	// ok is false when the revision has no such request.
	ParamsFor(version Version) (params []byte, ok bool)
	// require adds the capability that a client needs to be asked this.
	require(*ClientCapabilities)
}

// InputRequestEntry is a request under the key its answer will have.
type InputRequestEntry struct {
	Key     string
	Request InputRequest
	// Unknown holds members beside method and params.
	Unknown jsontext.Value
}

// InputRequests are requests in the order they shall be asked. On the wire
// they are an object.
type InputRequests []InputRequestEntry

// Add puts a request at the end. Keys must differ within one result.
func (r *InputRequests) Add(key string, request InputRequest) {
	*r = append(*r, InputRequestEntry{Key: key, Request: request})
}

// Required is what a client must declare to be asked all of this.
func (r InputRequests) Required() ClientCapabilities {
	var c ClientCapabilities
	for _, entry := range r {
		if entry.Request != nil {
			entry.Request.require(&c)
		}
	}
	return c
}

// AppendTo appends the object as revision 2026-07-28 writes it. An entry
// without request is left out.
func (r InputRequests) AppendTo(dst []byte) []byte {
	o := openObject(dst)
	for _, entry := range r {
		if entry.Request == nil {
			continue
		}
		params, _ := entry.Request.ParamsFor(Latest)
		o.next()
		o.dst = append(jsonscan.AppendQuoted(o.dst, entry.Key), ':')
		in := openObject(o.dst)
		in.str("method", entry.Request.Method())
		if len(params) > 0 {
			in.raw("params", params)
		}
		o.dst = in.end(entry.Unknown, nil)
	}
	return append(o.dst, '}')
}

// MarshalJSONTo writes the object.
func (r InputRequests) MarshalJSONTo(enc *jsontext.Encoder) error {
	return enc.WriteValue(r.AppendTo(nil))
}

// UnmarshalJSONFrom reads the object in its order.
func (r *InputRequests) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*r = nil
	return readMembers(dec, func(key string, value jsontext.Value) error {
		var wire struct {
			Method  string         `json:"method"`
			Params  jsontext.Value `json:"params,omitzero"`
			Unknown jsontext.Value `json:",embed"`
		}
		if err := json.Unmarshal(value, &wire); err != nil {
			return fmt.Errorf("input request %.60q: %w", key, err)
		}
		request, err := DecodeInputRequest(wire.Method, wire.Params)
		if err != nil {
			return fmt.Errorf("input request %.60q: %w", key, err)
		}
		*r = append(*r, InputRequestEntry{Key: key, Request: request, Unknown: wire.Unknown})
		return nil
	})
}

// DecodeInputRequest reads the params of a request that a server sends its
// client. Nil params stand for absent ones. A method or an elicitation mode
// that this module does not know gives an *[UnknownInputRequest].
func DecodeInputRequest(method string, params []byte) (InputRequest, error) {
	if params != nil {
		if err := jsonscan.Check(params, 0); err != nil {
			return nil, fmt.Errorf("params of %.60q: %w", method, err)
		}
	}
	switch method {
	case MethodElicitationCreate:
		return decodeElicit(params)
	case MethodSamplingCreateMessage:
		p := new(CreateMessageParams)
		if err := json.Unmarshal(params, p); err != nil {
			return nil, fmt.Errorf("params of %s: %w", method, err)
		}
		return p, nil
	case MethodRootsList:
		p := new(ListRootsParams)
		if len(params) > 0 {
			if err := json.Unmarshal(params, p); err != nil {
				return nil, fmt.Errorf("params of %s: %w", method, err)
			}
		}
		return p, nil
	case "":
		return nil, errors.New("the method is missing")
	default:
		return &UnknownInputRequest{MethodName: method, Params: bytes.Clone(params)}, nil
	}
}

// UnknownInputRequest is a request of a later revision. It is passed on as it
// came, and a client that must answer it can only refuse.
type UnknownInputRequest struct {
	MethodName string
	// Params is raw JSON, nil for none.
	Params jsontext.Value
}

// Method is the request's method.
func (r *UnknownInputRequest) Method() string { return r.MethodName }

// ParamsFor returns the params as they came. Only the newest revision may have
// requests that nobody here knows.
func (r *UnknownInputRequest) ParamsFor(version Version) (params []byte, ok bool) {
	return r.Params, version.Modern()
}

func (r *UnknownInputRequest) require(*ClientCapabilities) {}

// InputResponse is a client's answer to the request of the same key.
type InputResponse struct {
	Key string
	// Value is the raw result: an [ElicitResult], a [CreateMessageResult] or a
	// [ListRootsResult], depending on the request.
	Value jsontext.Value
}

// InputResponses are a client's answers in the order they were written. On
// the wire they are an object.
type InputResponses []InputResponse

// Get returns the answer under a key.
func (r InputResponses) Get(key string) (value []byte, ok bool) {
	for i := range r {
		if r[i].Key == key {
			return r[i].Value, true
		}
	}
	return nil, false
}

// Set puts an answer, which must be JSON, under a key.
func (r *InputResponses) Set(key string, value []byte) {
	for i := range *r {
		if (*r)[i].Key == key {
			(*r)[i].Value = value
			return
		}
	}
	*r = append(*r, InputResponse{Key: key, Value: value})
}

// MarshalJSONTo writes the object.
func (r InputResponses) MarshalJSONTo(enc *jsontext.Encoder) error {
	if err := enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for i := range r {
		if err := enc.WriteToken(jsontext.String(r[i].Key)); err != nil {
			return err
		}
		if err := enc.WriteValue(r[i].Value); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndObject)
}

// UnmarshalJSONFrom reads an object of objects.
func (r *InputResponses) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*r = nil
	return readMembers(dec, func(key string, value jsontext.Value) error {
		if jsonscan.KindOf(value) != jsonscan.Object {
			return fmt.Errorf("input response %.60q must be an object", key)
		}
		*r = append(*r, InputResponse{key, value})
		return nil
	})
}

// InputRequiredResult says that a request cannot go on without answers. The
// client sends the request again with the answers and the state. At least one
// of the two members is there (patterns/mrtr).
type InputRequiredResult struct {
	// ResultType is [ResultInputRequired].
	ResultType    ResultType    `json:"resultType"`
	InputRequests InputRequests `json:"inputRequests,omitzero"`
	// RequestState goes back to the server unread; nil for none.
	RequestState *string `json:"requestState,omitzero"`
	Meta         Meta    `json:"_meta,omitzero"`
	// Unknown holds members this module does not know.
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSONTo writes the result, resultType first and _meta last.
func (r *InputRequiredResult) MarshalJSONTo(enc *jsontext.Encoder) error {
	type plain InputRequiredResult
	p := plain(*r)
	p.Unknown, p.Meta = metaLast(p.Unknown, p.Meta)
	return json.MarshalEncode(enc, &p)
}
