package io.lazuli.server.migration;

import java.util.Map;
import java.util.TreeMap;

/**
 * Reads a file to its end and checks that the extents it refers to exist and are long enough. It
 * writes nothing. The report lists all damage. Mutable; used once.
 */
final class Inspection implements LokiFile.Visitor {
  private final LokiFile file;
  private final Extents extents;
  private final ImportReport report;

  /** The minimum length of each extent, by its id. */
  private final Map<String, Long> lengths = new TreeMap<>();

  Inspection(LokiFile file, Extents extents, ImportReport report) {
    this.file = file;
    this.extents = extents;
    this.report = report;
  }

  void run() {
    if (file.exists()) {
      file.read(this, report);
    }
    lengths.forEach(
        (id, length) -> {
          String flaw = extents.flaw(id, length);
          if (flaw != null) {
            report.leftOut("content of " + file.name(), flaw);
          }
        });
  }

  @Override
  public boolean wants(String collection) {
    return true;
  }

  @Override
  public void visit(String collection, LokiDocument document, long at) {
    for (Extents.Part part : Extents.Part.allOf(document)) {
      if (part.count() != 0) {
        lengths.merge(part.id(), part.offset() + part.count(), Math::max);
      }
    }
  }
}
