package server

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A sealed state is base64url without padding of
//
//	version 1 byte | nonce 12 bytes | AES-256-GCM(expiry 8 bytes | state)
//
// with the SHA-256 of the binding as additional data. The binding itself is
// not sent: the request that brings the state back must produce the same one,
// or the seal does not open. The nonce is random and names the state.
const (
	sealVersion = 1
	nonceBytes  = 12
	sealHeader  = 1 + nonceBytes
)

type sealer struct{ aead cipher.AEAD }

func newSealer(secret []byte) (*sealer, error) {
	key, err := hkdf.Key(sha256.New, secret, nil, "helpdesk request state v1", 32)
	if err != nil {
		return nil, fmt.Errorf("server: derive the state key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	return &sealer{aead: aead}, nil
}

func (s *sealer) seal(state, binding []byte, expires time.Time) (string, error) {
	out := make([]byte, sealHeader, sealHeader+8+len(state)+s.aead.Overhead())
	out[0] = sealVersion
	if _, err := rand.Read(out[1:sealHeader]); err != nil {
		return "", err
	}
	plain := binary.BigEndian.AppendUint64(nil, uint64(expires.Unix()))
	plain = append(plain, state...)
	digest := sha256.Sum256(binding)
	out = s.aead.Seal(out, out[1:sealHeader], plain, digest[:])
	return base64.RawURLEncoding.EncodeToString(out), nil
}

var (
	errSealBroken  = errors.New("it was changed, or belongs to another request, caller or server")
	errSealExpired = errors.New("it is too old; start again without it")
)

// open returns the state and its name. Every failure but age looks the same,
// because telling them apart would help only who tries.
func (s *sealer) open(sealed string, binding []byte, now time.Time) (state []byte, id string, err error) {
	raw, err := decodeStrictly(sealed)
	if err != nil || len(raw) < sealHeader || raw[0] != sealVersion {
		return nil, "", errSealBroken
	}
	digest := sha256.Sum256(binding)
	plain, err := s.aead.Open(nil, raw[1:sealHeader], raw[sealHeader:], digest[:])
	if err != nil || len(plain) < 8 {
		return nil, "", errSealBroken
	}
	if now.Unix() >= int64(binary.BigEndian.Uint64(plain)) {
		return nil, "", errSealExpired
	}
	return plain[8:], hex.EncodeToString(raw[1:sealHeader]), nil
}

// decodeStrictly reads base64url so that exactly one text stands for given
// bytes: the unused bits of the last character must be zero, and there must be
// no line breaks, which package base64 would pass over.
func decodeStrictly(text string) ([]byte, error) {
	if strings.ContainsAny(text, "\r\n") {
		return nil, errors.New("line break in base64url")
	}
	return base64.RawURLEncoding.Strict().DecodeString(text)
}

// newStateID names a state that never left the server, with as many random
// bytes as a sealed one.
func newStateID() string {
	var nonce [nonceBytes]byte
	_, _ = rand.Read(nonce[:]) // crypto/rand never fails: it ends the program instead.
	return hex.EncodeToString(nonce[:])
}

// appendField appends a length and a field, so that no two lists of fields
// have the same bytes.
func appendField(dst, field []byte) []byte {
	dst = binary.BigEndian.AppendUint64(dst, uint64(len(field)))
	return append(dst, field...)
}
