package io.lazuli.server.delegation;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.lazuli.server.access.Identity;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Issues user delegation keys and finds them again. It stores two things: a random secret for each
 * account, which all servers of a cluster share, and what the token of each caller said when the
 * caller last asked for a key, because a signature names the caller by its object id only. What is
 * stored is read again after a few seconds, so a revocation takes effect then.
 */
public final class DelegationKeys {
  /** The longest time for which a revoked key still works. */
  public static final Duration KEPT = Duration.ofSeconds(5);

  private static final int CACHED_MAX = 10_000;
  private static final int SECRET_BYTES = 32;
  private static final String SECRET = "secret";

  /** Where the server keeps what is its own. Blocks. */
  @FunctionalInterface
  public interface Store {
    /**
     * Changes a value.
     *
     * @param change returns the new value, given the old one or null; returns null to keep it
     * @return the value after the change; null if there is none
     */
    byte @Nullable [] change(String account, String name, UnaryOperator<byte @Nullable []> change);
  }

  /** Runs work that blocks. */
  @FunctionalInterface
  public interface Workers {
    <T> CompletionStage<T> call(Supplier<CompletionStage<T>> work, Executor back);
  }

  /**
   * A key with the identity of its owner.
   *
   * @param identity null if no caller with this object id ever asked for a key
   */
  public record Found(byte[] value, @Nullable Identity identity) {
    /** Says nothing about the key. */
    @Override
    public String toString() {
      return "a user delegation key";
    }
  }

  private record Name(String account, String name) {}

  /**
   * A cached value.
   *
   * @param bytes empty if there is none
   */
  private record Stored(byte[] bytes) {}

  private final Store store;
  private final Workers workers;
  private final SecureRandom randomness = new SecureRandom();
  private final Cache<Name, Stored> cached =
      Caffeine.newBuilder().expireAfterWrite(KEPT).maximumSize(CACHED_MAX).build();

  public DelegationKeys(Store store, Workers workers) {
    this.store = store;
    this.workers = workers;
  }

  /** Returns a key for a caller with a token, and stores what the token said. */
  CompletionStage<byte[]> issue(
      String account, Identity identity, DelegationKey key, Executor back) {
    byte[] claims = IdentityCodec.encode(identity);
    return workers.call(
        () -> {
          String name = principal(key.object(), key.tenant());
          store.change(account, name, old -> Arrays.equals(old, claims) ? null : claims);
          cached.put(new Name(account, name), new Stored(claims));
          return CompletableFuture.completedFuture(key.value(secret(account)));
        },
        back);
  }

  /** Returns the key with these fields. */
  public CompletionStage<Found> find(String account, DelegationKey key, Executor back) {
    String name = principal(key.object(), key.tenant());
    Stored secret = cached.getIfPresent(new Name(account, SECRET));
    Stored claims = cached.getIfPresent(new Name(account, name));
    if (secret != null && claims != null) {
      return CompletableFuture.completedFuture(found(key, secret.bytes(), claims));
    }
    return workers.call(
        () -> {
          byte[] read = store.change(account, name, old -> null);
          Stored now = new Stored(read == null ? new byte[0] : read);
          cached.put(new Name(account, name), now);
          return CompletableFuture.completedFuture(found(key, secret(account), now));
        },
        back);
  }

  private static Found found(DelegationKey key, byte[] secret, Stored claims) {
    Identity identity = claims.bytes().length == 0 ? null : IdentityCodec.decode(claims.bytes());
    return new Found(key.value(secret), identity);
  }

  /** Makes all keys of an account invalid. Blocks. */
  public void revoke(String account) {
    byte[] fresh = random();
    store.change(account, SECRET, old -> fresh);
    cached.put(new Name(account, SECRET), new Stored(fresh));
  }

  private byte[] secret(String account) {
    byte[] fresh = random();
    byte[] now = store.change(account, SECRET, old -> old == null ? fresh : null);
    byte[] secret = Objects.requireNonNull(now, "a secret was stored");
    cached.put(new Name(account, SECRET), new Stored(secret));
    return secret;
  }

  private byte[] random() {
    byte[] bytes = new byte[SECRET_BYTES];
    randomness.nextBytes(bytes);
    return bytes;
  }

  private static String principal(UUID object, UUID tenant) {
    return "principal " + object + " " + tenant;
  }
}
