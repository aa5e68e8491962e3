package mcp

import "fmt"

// LogLevel is the severity of a log message, one of the eight of RFC 5424.
// The zero value is no level.
//
// Logging is deprecated since revision 2026-07-28 and still spoken.
type LogLevel string

// The levels, least severe first.
const (
	LogDebug     LogLevel = "debug"
	LogInfo      LogLevel = "info"
	LogNotice    LogLevel = "notice"
	LogWarning   LogLevel = "warning"
	LogError     LogLevel = "error"
	LogCritical  LogLevel = "critical"
	LogAlert     LogLevel = "alert"
	LogEmergency LogLevel = "emergency"
)

// LogLevels lists the levels, least severe first. The slice is the caller's.
func LogLevels() []LogLevel {
	return []LogLevel{LogDebug, LogInfo, LogNotice, LogWarning, LogError, LogCritical, LogAlert, LogEmergency}
}

// ParseLogLevel reads a level as it stands on the wire: in lower case. The
// error names the levels there are.
func ParseLogLevel(text string) (LogLevel, error) {
	if level := LogLevel(text); level.Known() {
		return level, nil
	}
	return "", fmt.Errorf("%.40q is no log level: use debug, info, notice, warning, error, critical, alert or emergency", text)
}

// Known reports whether the level is one of the eight.
func (l LogLevel) Known() bool { return l.rank() > 0 }

// AtLeast reports whether l is as severe as least or more. It is false when
// either is no level, so that nothing is sent to who asked for nothing.
func (l LogLevel) AtLeast(least LogLevel) bool {
	return l.Known() && least.Known() && l.rank() >= least.rank()
}

// rank is 1 for debug, 8 for emergency and 0 for anything else.
func (l LogLevel) rank() int {
	switch l {
	case LogDebug:
		return 1
	case LogInfo:
		return 2
	case LogNotice:
		return 3
	case LogWarning:
		return 4
	case LogError:
		return 5
	case LogCritical:
		return 6
	case LogAlert:
		return 7
	case LogEmergency:
		return 8
	default:
		return 0
	}
}
