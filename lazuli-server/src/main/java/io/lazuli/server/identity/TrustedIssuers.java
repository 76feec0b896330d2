package io.lazuli.server.identity;

import io.lazuli.server.auth.TokenCheck;
import io.lazuli.server.outbound.AllowedSources;
import io.lazuli.server.outbound.HostLookup;
import io.lazuli.server.outbound.OutboundClient;
import io.lazuli.server.watch.WatchException;
import io.lazuli.storage.thread.BackgroundThread;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The issuers that the operator trusts, with their keys. An issuer that cannot be reached does not
 * keep the server from starting: its tokens are refused until its keys arrive.
 */
public final class TrustedIssuers {
  private static final Logger LOG = LoggerFactory.getLogger(TrustedIssuers.class);

  /** The time between two looks whether an issuer must be asked for its keys. */
  private static final Duration LOOK_PERIOD = Duration.ofSeconds(10);

  private final List<IssuerKeys> keys = new ArrayList<>();
  private final TokenCheck tokens;

  /**
   * Begins to fetch keys, and reads those in files.
   *
   * @param workers the threads that verify signatures
   * @param period the time between two looks at a file
   * @param closers takes actions that end the parts, the last one first
   * @throws WatchException if a file cannot be used
   */
  public TrustedIssuers(
      TokenConfig config,
      IssuedTokens.Workers workers,
      Clock clock,
      Duration period,
      Consumer<Runnable> closers)
      throws WatchException {
    Map<String, IssuedTokens.Trusted> byName = new HashMap<>();
    fetched(config, closers).forEach((issuer, own) -> add(issuer, own, config, byName));
    for (Map.Entry<Issuer, Path> file : config.keyFiles().entrySet()) {
      KeyFile own = KeyFile.follow(file.getValue(), period);
      closers.accept(own::close);
      add(file.getKey(), own, config, byName);
    }
    this.tokens =
        new IssuedTokens(byName, new Audiences(Set.copyOf(config.audiences())), workers, clock);
  }

  private void add(
      Issuer issuer, IssuerKeys own, TokenConfig config, Map<String, IssuedTokens.Trusted> byName) {
    keys.add(own);
    IssuedTokens.Trusted trusted = new IssuedTokens.Trusted(own, issuer.tenants(config.tenants()));
    issuer.names(config.tenants()).forEach(name -> byName.put(name, trusted));
  }

  private static Map<Issuer, FetchedKeys> fetched(TokenConfig config, Consumer<Runnable> closers)
      throws WatchException {
    Path authority = config.authority();
    if (authority != null && !Files.isReadable(authority)) {
      throw new WatchException("cannot read the file of oidc-ca, " + authority);
    }
    Map<Issuer, FetchedKeys> all = new HashMap<>();
    if (config.issuers().isEmpty()) {
      return all;
    }
    OutboundClient client =
        new OutboundClient(
            AllowedSources.NONE,
            HostLookup.SYSTEM,
            (address, port) -> false,
            IssuerDocuments.TIMES,
            IssuerDocuments.CALLS_MAX,
            authority == null ? null : authority.toAbsolutePath());
    closers.accept(client::close);
    IssuerDocuments documents = new IssuerDocuments(client, IssuerDocuments.TIME_MAX);
    BackgroundThread thread = new BackgroundThread("issuers", LOG::warn);
    for (Issuer issuer : config.issuers()) {
      FetchedKeys own = new FetchedKeys(issuer, documents::get, System::nanoTime);
      all.put(issuer, own);
      thread.repeat(
          Duration.ZERO,
          LOOK_PERIOD,
          () -> {
            own.refresh();
            return LOOK_PERIOD;
          });
    }
    thread.start();
    closers.accept(thread::close);
    return all;
  }

  public TokenCheck tokens() {
    return tokens;
  }

  /** Returns one line about issuers whose keys cannot be read; empty if there are none. */
  public String trouble() {
    return keys.stream()
        .map(IssuerKeys::trouble)
        .filter(line -> !line.isEmpty())
        .collect(Collectors.joining("; "));
  }
}
