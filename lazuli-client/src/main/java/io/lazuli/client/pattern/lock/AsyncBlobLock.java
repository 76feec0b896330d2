package io.lazuli.client.pattern.lock;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobAsyncClient;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.options.BlockBlobSimpleUploadOptions;
import com.azure.storage.blob.specialized.BlobLeaseAsyncClient;
import com.azure.storage.blob.specialized.BlobLeaseClientBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * A lock that at most one process holds at a time: the lease on a blob. Immutable and thread-safe.
 * The lock is not reentrant: a second {@link #acquire} in the same process waits like one in
 * another process.
 *
 * <p>The service ends a lease that is not renewed in time, so the lock of a process that died
 * becomes free. A process that was only paused may not know that it lost the lock. Its writes must
 * therefore be fenced: {@link AsyncFence}.
 */
public final class AsyncBlobLock {
  /** The duration of a lease unless another one is given. */
  public static final Duration LEASE = Duration.ofSeconds(30);

  private static final long LEASE_SECONDS_MIN = 15;
  private static final long LEASE_SECONDS_MAX = 60;
  private static final int RENEWALS_PER_LEASE = 4;
  private static final Duration PAUSE_MIN = Duration.ofMillis(50);
  private static final int DOUBLINGS = 4;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int PRECONDITION_FAILED = 412;
  private static final Pattern NAMES = Pattern.compile("[A-Za-z0-9._-]{1,200}");

  /** The name of the metadata that has the token of the latest holder. */
  private static final String TOKEN = "lazulitoken";

  private final BlobAsyncClient blob;
  private final String name;
  private final LeaseTimes times;

  AsyncBlobLock(BlobContainerAsyncClient container, String name, LeaseTimes times) {
    if (!NAMES.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the name of a lock has 1 to 200 letters, digits, dots, hyphens and underscores, not "
              + name);
    }
    this.blob = container.getBlobAsyncClient(name);
    this.name = name;
    this.times = times;
  }

  /**
   * The times of a lease.
   *
   * @param lease how long the service keeps a lease that is not renewed
   * @param renewEvery the pause between renewals
   * @param nanoTime a clock that never goes back
   */
  record LeaseTimes(Duration lease, Duration renewEvery, LongSupplier nanoTime) {
    LeaseTimes {
      if (lease.toSeconds() < LEASE_SECONDS_MIN || lease.toSeconds() > LEASE_SECONDS_MAX) {
        throw new IllegalArgumentException("a lease lasts 15 to 60 seconds, not " + lease);
      }
    }

    static LeaseTimes of(Duration lease) {
      return new LeaseTimes(lease, lease.dividedBy(RENEWALS_PER_LEASE), System::nanoTime);
    }
  }

  /**
   * Returns the lock with a name, with leases of 30 seconds. See {@link
   * #of(BlobContainerAsyncClient, String, Duration)}.
   */
  public static AsyncBlobLock of(BlobContainerAsyncClient container, String name) {
    return of(container, name, LEASE);
  }

  /**
   * Returns the lock with a name.
   *
   * @param container an existing container; the lock is an empty blob in it, which is created if it
   *     does not exist
   * @param lease 15 to 60 seconds: how long others wait at most after the holder died
   */
  public static AsyncBlobLock of(BlobContainerAsyncClient container, String name, Duration lease) {
    return new AsyncBlobLock(container, name, LeaseTimes.of(lease));
  }

  /** Returns this lock with blocking calls. */
  public BlobLock blocking() {
    return new BlobLock(this);
  }

  /**
   * Acquires the lock if it is free: three requests. Returns nothing if another process has it: one
   * request.
   */
  public Mono<HeldLock> tryAcquire() {
    return attempt().onErrorResume(Taken.class, taken -> Mono.empty());
  }

  /**
   * Acquires the lock, and waits while another process has it. A waiting process asks again after
   * random pauses of up to a second. There is no order between waiting processes.
   *
   * @param waitMax how long to wait for other holders; the last attempt starts after this time
   * @return the error {@link LockNotAcquired} if another process still has the lock
   */
  public Mono<HeldLock> acquire(Duration waitMax) {
    return Mono.defer(
        () -> {
          long started = times.nanoTime().getAsLong();
          return attempt()
              .retryWhen(
                  Retry.from(
                      attempts -> attempts.concatMap(failed -> pause(failed, started, waitMax))))
              .onErrorMap(Taken.class, taken -> new LockNotAcquired(name, waitMax, taken));
        });
  }

  private Mono<Long> pause(Retry.RetrySignal failed, long started, Duration waitMax) {
    Duration waited = Duration.ofNanos(times.nanoTime().getAsLong() - started);
    Duration left = waitMax.minus(waited);
    if (!(failed.failure() instanceof Taken) || left.isNegative() || left.isZero()) {
      return Mono.error(failed.failure());
    }
    long most = PAUSE_MIN.toNanos() << Math.min(DOUBLINGS, failed.totalRetries());
    Duration pause = Duration.ofNanos(ThreadLocalRandom.current().nextLong(most / 2, most));
    return Mono.delay(pause.compareTo(left) < 0 ? pause : left);
  }

  /**
   * Makes one attempt. The id of the lease is chosen here, so that an acquisition whose response
   * was lost can be repeated: the service answers the holder of the same id as it did before.
   */
  private Mono<HeldLock> attempt() {
    return Mono.defer(
        () -> {
          BlobLeaseAsyncClient lease =
              new BlobLeaseClientBuilder()
                  .blobAsyncClient(blob)
                  .leaseId(UUID.randomUUID().toString())
                  .buildAsyncClient();
          long sent = times.nanoTime().getAsLong();
          return leased(lease)
              .then(Mono.defer(() -> nextToken(lease.getLeaseId())))
              .map(token -> HeldLock.start(name, token, lease, times, sent))
              .timeout(times.lease())
              .onErrorMap(AsyncBlobLock::isAboutLease, Taken::new);
        });
  }

  private Mono<String> leased(BlobLeaseAsyncClient lease) {
    int seconds = (int) times.lease().toSeconds();
    return lease
        .acquireLease(seconds)
        .onErrorResume(
            failure -> hasStatus(failure, NOT_FOUND) && !isAboutContainer(failure),
            missing -> created().then(Mono.defer(() -> lease.acquireLease(seconds))));
  }

  private Mono<Void> created() {
    return blob.getBlockBlobAsyncClient()
        .uploadWithResponse(
            new BlockBlobSimpleUploadOptions(BinaryData.fromBytes(new byte[0]))
                .setRequestConditions(new BlobRequestConditions().setIfNoneMatch("*")))
        .then()
        .onErrorResume(
            failure -> hasStatus(failure, CONFLICT) || hasStatus(failure, PRECONDITION_FAILED),
            exists -> Mono.empty());
  }

  /**
   * Stores and returns the next token. Only the holder of the lease can store it, so no token is
   * given twice, and a repeated request changes nothing. Tokens are at least the time, so that they
   * keep growing if somebody deletes the blob.
   */
  private Mono<Long> nextToken(String leaseId) {
    return blob.getProperties()
        .map(properties -> next(properties.getMetadata().get(TOKEN)))
        .flatMap(
            token ->
                blob.setMetadataWithResponse(
                        Map.of(TOKEN, String.valueOf(token)),
                        new BlobRequestConditions().setLeaseId(leaseId))
                    .thenReturn(token));
  }

  private static long next(@Nullable String stored) {
    long last = stored == null ? 0 : Long.parseLong(stored);
    return Math.max(last + 1, System.currentTimeMillis());
  }

  private static boolean hasStatus(Throwable failure, int status) {
    return failure instanceof BlobStorageException refused && refused.getStatusCode() == status;
  }

  private static boolean isAboutContainer(Throwable failure) {
    return failure instanceof BlobStorageException refused
        && BlobErrorCode.CONTAINER_NOT_FOUND.equals(refused.getErrorCode());
  }

  /** Returns whether another holder, or the end of a lease, is the reason for a failure. */
  static boolean isAboutLease(Throwable failure) {
    return failure instanceof BlobStorageException refused
        && String.valueOf(refused.getErrorCode()).startsWith("Lease");
  }

  /** Another process has the lock. */
  private static final class Taken extends RuntimeException {
    private static final long serialVersionUID = 1;

    Taken(Throwable cause) {
      super(cause);
    }
  }
}
