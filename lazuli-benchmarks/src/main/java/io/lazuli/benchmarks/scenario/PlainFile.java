package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.load.FileLoad;
import io.lazuli.benchmarks.protocol.Payload;
import io.lazuli.benchmarks.report.Sample;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Files of one size, written and read as the baseline of blobs. The entities of a sample are KiB.
 */
record PlainFile(FileLoad load, long kibibytes) {
  static PlainFile create(Path folder, int files, int pieceBytes, int pieces) throws IOException {
    FileLoad load = new FileLoad(folder, files, new Payload(pieceBytes).body(), pieces);
    load.fill();
    return new PlainFile(load, ((long) pieceBytes * pieces) >> 10);
  }

  Sample write(long nanos) throws IOException {
    return Sample.of(load.write(nanos), kibibytes);
  }

  Sample read(long nanos) throws IOException {
    return Sample.of(load.read(nanos), kibibytes);
  }
}
