package io.lazuli.server.config;

/** How much is logged. */
public enum LogLevel {
  ERROR,
  WARN,
  INFO,
  DEBUG
}
