package io.lazuli.server.blob.service;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the packed server while blobs are put, staged, committed, appended to and copied, entities
 * are written in batches, and messages are put, handed out and deleted. Everything that was
 * acknowledged is there afterwards, and nothing in part. After a round of the collector, the chunks
 * on disk are exactly those that records refer to.
 */
class MixedKillIT {
  @TempDir private Path folder;

  @Test
  void killsLoseNothingAndLeaveNoStrayChunk() throws IOException, InterruptedException {
    writeOverKills(2);
  }

  @Test
  @Tag("long")
  @Timeout(value = 3, unit = TimeUnit.HOURS)
  void manyKillsLoseNothingAndLeaveNoStrayChunk() throws IOException, InterruptedException {
    writeOverKills(Integer.getInteger("kill.rounds", 40));
  }

  private void writeOverKills(int kills) throws IOException, InterruptedException {
    List<KillWriter> writers = new ArrayList<>();
    for (int number = 0; number < 2; number++) {
      writers.add(new TableWriter(number));
      writers.add(new QueueWriter(number));
    }
    for (BlobWriter.Way way : BlobWriter.Way.values()) {
      writers.add(new BlobWriter(way, 0));
      writers.add(new BlobWriter(way, 1));
    }
    try (KillRounds rounds = new KillRounds(folder, writers)) {
      rounds.run(kills);
    }
  }
}
