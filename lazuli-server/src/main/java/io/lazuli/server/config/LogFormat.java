package io.lazuli.server.config;

/** The form of log lines. */
public enum LogFormat {
  /** One line for people, followed by the lines of a stack trace if there is one. */
  TEXT,
  /** One JSON object in a line, with the stack trace in it. */
  JSON
}
