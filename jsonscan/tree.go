package jsonscan

// tree collects the members of the outermost objects while they are checked,
// so that whoever needs a value further in does not read the text again. All
// its methods do nothing on nil.
type tree struct {
	members []Member
	// levels is how many levels are collected, level the current one.
	levels, level int
}

// inArray is a level that is never collected: what lies in an array has no
// path of names.
const inArray = 1 << 20

// open takes a place for a member before its value is read, so that parents
// stand before their children.
func (t *tree) open(name []byte) (slot int) {
	if t == nil {
		return -1
	}
	slot = -1
	if t.level < t.levels {
		slot = len(t.members)
		t.members = append(t.members, Member{Name: name, Level: t.level})
	}
	t.level++
	return slot
}

func (t *tree) close(slot int, value []byte) {
	if t == nil {
		return
	}
	t.level--
	if slot >= 0 {
		t.members[slot].Value = value
	}
}

func (t *tree) enterArray() {
	if t != nil {
		t.level += inArray
	}
}

func (t *tree) leaveArray() {
	if t != nil {
		t.level -= inArray
	}
}

// Tree checks data like [Check] and appends the members of the outermost
// object to dst, each followed by the members of its own value down to the
// given number of levels. A member's Level tells whose child it is: the
// nearest one before it with a lower Level. Objects inside arrays are checked
// but not collected. After an error, members that were not read to their end
// have a nil Value.
func Tree(dst []Member, data []byte, maxDepth, levels int) (members []Member, ok bool, err error) {
	t := tree{members: dst, levels: levels}
	c := checker{data: data, depth: depthOrDefault(maxDepth), tree: &t}
	c.space()
	ok = c.pos < len(data) && data[c.pos] == '{'
	if err = c.value(); err == nil {
		err = c.end()
	}
	return t.members, ok, err
}
