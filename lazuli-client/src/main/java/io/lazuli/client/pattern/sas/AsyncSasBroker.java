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
 * Makes tokens with which users reach their rows of a table, and no others. For a service that
 * users trust and that has the account's key; that it knows who is asking is its own business.
 * Mutable, thread-safe; its memory is bounded.
 *
 * @param <U> what names a user; equal for the same user
 */
public final class AsyncSasBroker<U> {
  private final TableAsyncClient table;
  private final Function<? super U, Mono<KeyRange>> rowsOf;
  private final SasOptions options;
  private final Clock clock;

  /** In the order in which they were last asked for. */
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
   * A broker for a table.
   *
   * @param table a client with the account's key
   * @param rowsOf which rows are a user's; fails for one who has none
   */
  public static <U> AsyncSasBroker<U> of(
      TableAsyncClient table, Function<? super U, Mono<KeyRange>> rowsOf) {
    return new AsyncSasBroker<>(table, rowsOf, SasOptions.DEFAULT, Clock.systemUTC());
  }

  /** Another broker, with other options. */
  public AsyncSasBroker<U> with(SasOptions other) {
    return new AsyncSasBroker<>(table, rowsOf, other, clock);
  }

  /** Another broker, with another clock. */
  public AsyncSasBroker<U> with(Clock other) {
    return new AsyncSasBroker<>(table, rowsOf, options, other);
  }

  /** The same broker; calls wait. */
  public SasBroker<U> blocking() {
    return new SasBroker<>(this);
  }

  /**
   * A token for a user's rows that can be used for longer than the margin. No request to the
   * storage service, but those that it takes to know which rows these are.
   */
  public Mono<SasToken> token(U user) {
    return Mono.defer(() -> tokenOf(user).value());
  }

  /** Forgets the token of a user whose rows have changed. Tokens that are out stay valid. */
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

  /** The owner of an old one could not use it for long enough, so it is not handed out. */
  private Freshness freshness(SasToken token) {
    Instant end = token.expiresAt().minus(options.margin());
    return new Freshness(end, end);
  }

  /** Without a time from which it is valid: clocks differ. Signatures have whole seconds. */
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
