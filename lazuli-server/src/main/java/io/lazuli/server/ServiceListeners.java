package io.lazuli.server;

import io.lazuli.server.config.ConnectionsConfig;
import io.lazuli.server.config.Limits;
import io.lazuli.server.config.ListenAddress;
import io.lazuli.server.config.MemoryPlan;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServiceName;
import io.lazuli.server.http.AnswerBudget;
import io.lazuli.server.http.ByteBudget;
import io.lazuli.server.http.Connections;
import io.lazuli.server.http.EventLoops;
import io.lazuli.server.http.ListenException;
import io.lazuli.server.http.Listener;
import io.lazuli.server.http.ListenerConfig;
import io.lazuli.server.http.RequestHandler;
import io.lazuli.server.pipeline.ServicesByHost;
import io.lazuli.server.tls.TlsIdentity;
import io.lazuli.server.watch.FileWatch;
import io.lazuli.storage.Deadline;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ports of the services and of static websites, and the bounds that they share: connections,
 * and the memory of heads, bodies and answers.
 */
final class ServiceListeners {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceListeners.class);

  private static final Duration CHECK_PERIOD = Duration.ofMillis(10);

  private final ServerFrame frame;
  private final ServerConfig config;
  private final @Nullable FileWatch<TlsIdentity> tls;
  private final ByteBudget bodies;
  private final ByteBudget heads;
  private final Connections connections;
  private final AnswerBudget answers;
  private final Map<ServiceName, Listener> listeners = new EnumMap<>(ServiceName.class);
  private final List<Listener> open = new CopyOnWriteArrayList<>();
  private volatile Duration requestTimeMax = Limits.STOP_WAIT;
  private @Nullable Listener web;

  /**
   * @param tls the certificate; null for plain http
   */
  ServiceListeners(
      ServerFrame frame,
      @Nullable FileWatch<TlsIdentity> tls,
      MemoryPlan memory,
      AnswerBudget answers) {
    this.frame = frame;
    this.config = frame.config();
    this.tls = tls;
    this.bodies = new ByteBudget(memory.bodyBytesMax());
    this.heads = new ByteBudget(memory.headBytesMax());
    this.connections = connections(config.listeners().connections(), memory);
    this.answers = answers;
  }

  private static Connections connections(ConnectionsConfig config, MemoryPlan memory) {
    int max = config.max() == 0 ? memory.connectionsMax() : config.max();
    int perAddressMax = config.perAddressMax() == 0 ? (max + 1) / 2 : config.perAddressMax();
    return new Connections(max, perAddressMax, config::isTrusted);
  }

  /** Returns the services that the configuration names. */
  List<StorageService> services() {
    return StorageService.ALL.stream()
        .filter(s -> config.listeners().services().contains(s.name()))
        .toList();
  }

  /** Starts the event loops, without a listener, and reports the bounds. */
  EventLoops startLoops() {
    EventLoops loops =
        new EventLoops(Runtime.getRuntime().availableProcessors(), connections, heads);
    frame.closers().push(loops::close);
    frame.metrics().add(to -> MetricSources.bodies(to, bodies));
    frame.metrics().add(to -> MetricSources.heads(to, heads));
    frame.metrics().add(to -> MetricSources.answers(to, answers));
    frame.metrics().add(to -> MetricSources.connections(to, connections));
    return loops;
  }

  /**
   * Opens a port for each service, or one for all of them.
   *
   * @throws ListenException if a port cannot be opened
   */
  void open(EventLoops loops, Map<StorageService, RequestHandler> handlers) {
    if (config.listeners().onePort() == null) {
      handlers.forEach((service, handler) -> take(List.of(service), loops, handler));
      return;
    }
    Map<String, RequestHandler> byLabel = new LinkedHashMap<>();
    handlers.forEach((service, handler) -> byLabel.put(service.label(), handler));
    take(services(), loops, new ServicesByHost(byLabel));
    if (ServiceAddress.isMistaken(open.get(0).port())) {
      LOG.warn("the SDK for .NET looks for the account in the path at port {}", open.get(0).port());
    }
  }

  private void take(List<StorageService> services, EventLoops loops, RequestHandler handler) {
    int port = config.listeners().of(services.get(0).name()).port();
    YieldingPort.take(port, () -> listen(services, loops, handler));
  }

  private Listener listen(List<StorageService> services, EventLoops loops, RequestHandler handler) {
    Listener listener = listen(config.listeners().of(services.get(0).name()), loops, handler);
    services.forEach(service -> listeners.put(service.name(), listener));
    return listener;
  }

  private Listener listen(ListenAddress address, EventLoops loops, RequestHandler handler) {
    TlsIdentity identity = tls == null ? null : tls.content();
    Listener listener = loops.listen(config(address, identity), bodies, answers, handler);
    open.add(listener);
    frame.closers().push(this::stop);
    return listener;
  }

  private static ListenerConfig config(ListenAddress address, @Nullable TlsIdentity identity) {
    return new ListenerConfig(
        address.host(),
        address.port(),
        Limits.TARGET_BYTES_MAX,
        Limits.HEADER_BYTES_MAX,
        Limits.HEADER_LINES_MAX,
        Limits.IDLE_TIMEOUT,
        Limits.HEAD_TIME_MAX,
        Limits.BODY_TIME_MAX,
        Limits.DISCARDED_BODY_BYTES_MAX,
        Limits.DISCARD_TIME_MAX,
        identity,
        Limits.TLS_HANDSHAKE_TIME_MAX);
  }

  /** Opens the port of static websites. */
  void openWebsites(ListenAddress address, EventLoops loops, RequestHandler handler) {
    web = listen(address, loops, handler);
    LOG.info("static websites are served at port {}", web.port());
  }

  /** Opens the blob port for the signpost, unless another process has the port. */
  void openSignpost(EventLoops loops, RequestHandler signpost) {
    YieldingPort port = YieldingPort.announce(config.listeners().blob().port());
    frame.closers().push(port::close);
    try {
      Listener listener = listen(List.of(StorageService.BLOB), loops, signpost);
      frame.health().add(port::trouble);
      port.leaveWhenAsked(() -> listener.stop(Duration.ZERO));
    } catch (ListenException e) {
      port.close();
      LOG.info("the server has no signpost at the blob port: {}", e.getMessage());
    }
  }

  /** Shows a renewed certificate from now on. */
  void identity(TlsIdentity fresh) {
    open.forEach(one -> one.identity(fresh));
  }

  /** Makes answers say that their connection will be closed. */
  void leave() {
    open.forEach(Listener::leave);
  }

  /** Waits until all connections are closed, at most until the deadline. */
  void awaitNoConnections(Deadline deadline) {
    while (open.stream().anyMatch(one -> one.connections() > 0) && !deadline.hasPassed()) {
      LockSupport.parkNanos(CHECK_PERIOD.toNanos());
    }
  }

  /** Sets the time that running requests have when the listeners are stopped. */
  void requestTimeMax(Duration max) {
    requestTimeMax = max;
  }

  /** Stops all listeners at the same time. Does nothing if they are stopped. */
  private void stop() {
    Listener.stop(open, requestTimeMax);
    open.clear();
  }

  /** Returns the open ports. */
  Set<Integer> ports() {
    Set<Integer> ports = new HashSet<>();
    open.forEach(listener -> ports.add(listener.port()));
    return ports;
  }

  /** Returns the port of a service. The server must have this service. */
  int port(ServiceName service) {
    return Objects.requireNonNull(listeners.get(service), "the server does not have this service")
        .port();
  }

  /** Returns the port of static websites. The server must have one. */
  int webPort() {
    return Objects.requireNonNull(web, "the server has no websites").port();
  }

  /** Returns the addresses of all services. */
  Map<ServiceName, ServiceAddress> addresses() {
    Map<ServiceName, ServiceAddress> addresses = new EnumMap<>(ServiceName.class);
    services().forEach(one -> addresses.put(one.name(), address(one.name())));
    return addresses;
  }

  ServiceAddress address(ServiceName service) {
    return ServiceAddress.of(config, service, port(service));
  }

  /** Returns the URL of a service, by its label, of an account; empty if there is none. */
  String url(String label, String account) {
    return services().stream()
        .map(StorageService::name)
        .filter(name -> name.label().equals(label))
        .map(name -> address(name).url(name, account))
        .findFirst()
        .orElse("");
  }

  /** Returns the connections of all services. */
  Connections connections() {
    return connections;
  }

  /** Returns the memory of heads that all services take from their budget now. */
  long heldHeadBytes() {
    return heads.heldBytes();
  }

  /** Returns the bytes of request bodies that all services hold now. */
  long heldBodyBytes() {
    return bodies.heldBytes();
  }

  /** Returns the bytes of answers that all services hold now. */
  long heldAnswerBytes() {
    return answers.heldBytes();
  }
}
