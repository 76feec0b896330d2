package io.lazuli.server.config;

/** The least severe level that is logged. */
public enum LogLevel {
  ERROR,
  WARN,
  INFO,
  DEBUG
}
