package io.lazuli.storage.rocksdb;

import io.lazuli.storage.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One run of a {@link CrashWriter}: it is started, writes for a while, and is killed. */
final class CrashRound {
  private CrashRound() {}

  /**
   * Runs a writer and kills it.
   *
   * @param millis how long it writes after its first acknowledgement
   * @return the highest number that each producer acknowledged
   */
  static Map<Integer, Long> run(
      Path folder, Durability durability, int millis, Map<String, String> environment)
      throws InterruptedException {
    ChildJvm child =
        ChildJvm.start(
            environment, List.of(), CrashWriter.class, folder.toString(), durability.name());
    CountDownLatch first = new CountDownLatch(1);
    CompletableFuture<Map<Integer, Long>> reader =
        CompletableFuture.supplyAsync(() -> readAcknowledged(child, first));
    if (!first.await(2, TimeUnit.MINUTES)) {
      child.kill();
      throw new AssertionError("the writer acknowledged nothing");
    }
    // This does not wait for an event: the kill comes at a random moment.
    boolean ended = child.process().waitFor(millis, TimeUnit.MILLISECONDS);
    child.kill();
    if (ended) {
      throw new AssertionError("the writer ended by itself");
    }
    return reader.join();
  }

  private static Map<Integer, Long> readAcknowledged(ChildJvm child, CountDownLatch first) {
    Map<Integer, Long> highest = new HashMap<>();
    try {
      for (String line = child.readLine(); line != null; line = child.readLine()) {
        String[] words = line.split(" ", -1);
        // The last line may be cut in the middle; a number that lost digits is only lower.
        if (words.length == 2 && !words[1].isEmpty()) {
          highest.merge(Integer.valueOf(words[0]), Long.valueOf(words[1]), Math::max);
          first.countDown();
        }
      }
    } catch (IOException e) {
      throw new CompletionException(e);
    }
    return highest;
  }
}
