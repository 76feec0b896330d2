package io.lazuli.client.pattern.sas;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.sas.TableSasPermission;
import com.azure.data.tables.sas.TableSasSignatureValues;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.client.refresh.Freshness;
import io.lazuli.client.refresh.Refreshed;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Creates tokens that give each user access to the user's own rows of a table, and to no others. It
 * belongs in a service that users trust and that has the account's key. That service must
 * authenticate its users itself. Mutable, thread-safe; its memory is bounded.
 *
 * @param <U> the type that identifies a user; equal for the same user
 */
public final class AsyncSasBroker<U> {
  private final TableAsyncClient table;
  private final Function<? super U, Mono<KeyRange>> rowsOf;
  private final SasOptions options;
  private final Clock clock;

  /** The tokens by user, in the order of their last use. */
  @GuardedBy("tokens")
  private final Map<U, Refreshed<SasToken>> tokens = new LinkedHashMap<>(16, 0.75f, true);

  private AsyncSasBroker(
      TableAsyncClient table,
      Function<? super U, Mono<KeyRange>> rowsOf,
      SasOptions options,
      Clock clock) {
    this.table = table;
    this.rowsOf = rowsOf;
    this.options = options;
    this.clock = clock;
  }

  /**
   * Creates a broker for a table.
   *
   * @param table a client with the account's key
   * @param rowsOf returns the rows of a user; fails for a user without rows
   */
  public static <U> AsyncSasBroker<U> of(
      TableAsyncClient table, Function<? super U, Mono<KeyRange>> rowsOf) {
    return new AsyncSasBroker<>(table, rowsOf, SasOptions.DEFAULT, Clock.systemUTC());
  }

  /** Returns a new broker with other options. */
  public AsyncSasBroker<U> with(SasOptions other) {
    return new AsyncSasBroker<>(table, rowsOf, other, clock);
  }

  /** Returns a new broker with another clock. */
  public AsyncSasBroker<U> with(Clock other) {
    return new AsyncSasBroker<>(table, rowsOf, options, other);
  }

  /** Returns this broker with blocking calls. */
  public SasBroker<U> blocking() {
    return new SasBroker<>(this);
  }

  /**
   * Returns a token for a user's rows that stays valid for longer than the margin. Sends no request
   * to the storage service, except those that {@code rowsOf} sends.
   */
  public Mono<SasToken> token(U user) {
    return Mono.defer(() -> tokenOf(user).value());
  }

  /**
   * Drops the token of a user whose rows have changed. Tokens that were already handed out stay
   * valid.
   */
  public void forget(U user) {
    synchronized (tokens) {
      tokens.remove(user);
    }
  }

  private Refreshed<SasToken> tokenOf(U user) {
    synchronized (tokens) {
      Refreshed<SasToken> token = tokens.computeIfAbsent(user, this::fresh);
      if (tokens.size() > options.usersMax()) {
        tokens.remove(tokens.keySet().iterator().next());
      }
      return token;
    }
  }

  private Refreshed<SasToken> fresh(U user) {
    return new Refreshed<>(
        Mono.defer(() -> rowsOf.apply(user)).map(this::signed), this::freshness, clock);
  }

  /**
   * Returns how long a token is handed out: until the margin before its expiry. After that, its
   * owner could not use it for long enough.
   */
  private Freshness freshness(SasToken token) {
    Instant end = token.expiresAt().minus(options.margin());
    return new Freshness(end, end);
  }

  /**
   * Creates a token without a start time, because clocks differ. Its expiry is in whole seconds, as
   * in signatures.
   */
  private SasToken signed(KeyRange rows) {
    Instant expiresAt = clock.instant().plus(options.lifetime()).truncatedTo(ChronoUnit.SECONDS);
    TableSasPermission permissions = TableSasPermission.parse(options.permissions());
    TableSasSignatureValues values =
        new TableSasSignatureValues(expiresAt.atOffset(ZoneOffset.UTC), permissions)
            .setStartPartitionKey(rows.first().partitionKey())
            .setStartRowKey(rows.first().rowKey())
            .setEndPartitionKey(rows.last().partitionKey())
            .setEndRowKey(rows.last().rowKey());
    return new SasToken(table.generateSas(values), expiresAt);
  }

  int size() {
    synchronized (tokens) {
      return tokens.size();
    }
  }
}
