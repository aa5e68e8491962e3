package jsonscan

import "bytes"

// smallObject is how many names are compared one by one. Beyond it a map
// takes over, so that an object of a million names costs no quadratic time.
const smallObject = 16

// nameSet remembers the names of one object to find duplicates. Names are
// equal when they stand for the same characters, whatever their escapes.
type nameSet struct {
	few  [smallObject][]byte
	n    int
	many map[string]struct{}
}

// add reports whether the name was new.
func (s *nameSet) add(name []byte) bool {
	if bytes.IndexByte(name, '\\') >= 0 {
		name = appendUnescaped(make([]byte, 0, len(name)), name)
	}
	if s.many == nil {
		for i := range s.n {
			if bytes.Equal(s.few[i], name) {
				return false
			}
		}
		if s.n < smallObject {
			s.few[s.n] = name
			s.n++
			return true
		}
		s.many = make(map[string]struct{}, 4*smallObject)
		for _, earlier := range s.few {
			s.many[string(earlier)] = struct{}{}
		}
	}
	if _, dup := s.many[string(name)]; dup {
		return false
	}
	s.many[string(name)] = struct{}{}
	return true
}
