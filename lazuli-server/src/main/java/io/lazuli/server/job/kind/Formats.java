package io.lazuli.server.job.kind;

import io.lazuli.server.job.JobErrors;
import io.lazuli.server.job.file.Converter;
import java.util.Map;

/** The formats of files. */
final class Formats {
  private Formats() {}

  /** Checks the format of an order. */
  static void check(Map<String, String> parameters, Converter converter) {
    switch (parameters.getOrDefault("format", "jsonl")) {
      case "jsonl", "csv" -> {}
      case "parquet" -> {
        if (!converter.unavailable().isEmpty()) {
          throw JobErrors.badOrder("Parquet is not available: " + converter.unavailable());
        }
      }
      default -> throw JobErrors.badOrder("The format is jsonl, csv or parquet.");
    }
  }
}
