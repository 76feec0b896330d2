package io.lazuli.benchmarks.scenario;

/**
 * How much is measured.
 *
 * @param rounds the number of rounds per measurement, after warming up
 * @param warmUpMillis the length of the loads that warm up each measurement
 * @param warmUpRequests the number of requests of each kind that warm up a server
 * @param largeEntities the size of the table that is compared with {@link #SMALL_ENTITIES}
 * @param azuriteEntities the size of Azurite's table, which fills slowly
 * @param largeBlobMebibytes the size of the blobs that are uploaded in blocks
 * @param full whether to run scenarios that take many minutes
 */
public record Scale(
    int rounds,
    long roundMillis,
    long warmUpMillis,
    long warmUpRequests,
    long largeEntities,
    long azuriteEntities,
    int drops,
    int largeBlobMebibytes,
    boolean full) {

  public static final long SMALL_ENTITIES = 10_000;

  private static final int SHORT_ROUNDS = 6;

  /** Returns the scale of a run that takes about a minute. */
  public static Scale quick() {
    return new Scale(3, 400, 300, 20_000, 30_000, 10_000, 200, 64, false);
  }

  /** Returns the scale of a run that takes a few minutes. */
  public static Scale standard() {
    return new Scale(3, 1_500, 1_000, 150_000, 100_000, 10_000, 1_000, 256, false);
  }

  /** Returns the scale of a run of all scenarios, with a million entities. */
  public static Scale whole() {
    return new Scale(5, 3_000, 2_000, 300_000, 1_000_000, 100_000, 10_000, 256, true);
  }

  public Scale withRounds(int newRounds) {
    return with(newRounds, roundMillis);
  }

  /** Returns a scale with the same total time in more rounds. */
  Scale inShortRounds() {
    return with(rounds * SHORT_ROUNDS, roundMillis / SHORT_ROUNDS);
  }

  private Scale with(int newRounds, long newRoundMillis) {
    return new Scale(
        newRounds,
        newRoundMillis,
        warmUpMillis,
        warmUpRequests,
        largeEntities,
        azuriteEntities,
        drops,
        largeBlobMebibytes,
        full);
  }
}
