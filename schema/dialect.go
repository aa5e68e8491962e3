package schema

import (
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Dialect is a version of JSON Schema.
type Dialect int

// The dialects this package reads.
const (
	// Draft2020 is 2020-12, the default of the Model Context Protocol.
	Draft2020 Dialect = iota
	// Draft7 is draft-07, which many older generators still write.
	Draft7
)

// The URIs by which `$schema` names the dialects.
const (
	draft2020URI = "https://json-schema.org/draft/2020-12/schema"
	draft7URI    = "http://json-schema.org/draft-07/schema"
)

// String returns the URI of the dialect, as `$schema` has it.
func (d Dialect) String() string {
	if d == Draft7 {
		return draft7URI + "#"
	}
	return draft2020URI
}

func (d Dialect) draft() *jsonschema.Draft {
	if d == Draft7 {
		return jsonschema.Draft7
	}
	return jsonschema.Draft2020
}

// DialectError tells that `$schema` names a dialect this package cannot read.
type DialectError struct {
	// URI is the value of `$schema`.
	URI string
}

// Error implements the error interface.
func (e *DialectError) Error() string {
	return fmt.Sprintf("the dialect %q is not supported; supported are %q and %q", e.URI, draft2020URI, draft7URI+"#")
}

// dialectFromURI reads `$schema`. Both http and https are met in the wild, and
// so is an empty fragment, which means nothing.
func dialectFromURI(uri string) (Dialect, error) {
	plain := strings.TrimSuffix(uri, "#")
	plain = strings.TrimPrefix(strings.TrimPrefix(plain, "https://"), "http://")
	switch plain {
	case strings.TrimPrefix(draft2020URI, "https://"):
		return Draft2020, nil
	case strings.TrimPrefix(draft7URI, "http://"):
		return Draft7, nil
	default:
		return 0, &DialectError{URI: uri}
	}
}
