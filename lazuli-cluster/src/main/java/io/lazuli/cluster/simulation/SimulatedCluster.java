package io.lazuli.cluster.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** All servers of a scenario, and where the regions are. Used by one thread. */
final class SimulatedCluster {
  /** HDFS writes each block of a log to as many data nodes. */
  private static final int REPLICAS = 3;

  /** {@code base_slice_ns} of a kernel with two cores. */
  private static final long SLICE = Duration.ofNanos(2_800_000).toNanos();

  private final Scenario scenario;
  private final Events events = new Events();
  private final SplittableRandom random;
  private final Balance balance;
  private final List<RegionServer> regionServers = new ArrayList<>();
  private final List<Processor> dataNodes = new ArrayList<>();
  private final List<Lazuli> lazuli = new ArrayList<>();
  private final int[] firstServers;
  private final int[] servers;
  private final int dataRegions;
  private final @Nullable Machine shared;
  private int metaServer;
  private long lookUps;

  SimulatedCluster(Scenario scenario) {
    this.scenario = scenario;
    this.random = new SplittableRandom(scenario.seed());
    this.balance = new Balance(scenario.nodes(), scenario.load());
    if (scenario.load().balanced()) {
      balance.balance();
    }
    int[] ofData = balance.serverOfRegions();
    this.dataRegions = ofData.length;
    this.servers = Arrays.copyOf(ofData, dataRegions + scenario.load().accounts());
    Scenario.Nodes nodes = scenario.nodes();
    this.shared = nodes.shared() == 0 ? null : new Machine(events, nodes.shared(), SLICE);
    for (int account = 0; account < scenario.load().accounts(); account++) {
      // The balancer spreads homes evenly; the last servers first, because the first has the meta
      // table.
      servers[dataRegions + account] = nodes.regionServers() - 1 - account % nodes.regionServers();
    }
    this.firstServers = servers.clone();
    for (int i = 0; i < nodes.regionServers(); i++) {
      dataNodes.add(processor(nodes.regionCores(), Processor.Quota.NONE));
    }
    for (int i = 0; i < nodes.regionServers(); i++) {
      addRegionServer(i);
    }
    for (int i = 0; i < nodes.lazuli(); i++) {
      Processor processor = processor(nodes.lazuliCores(), nodes.lazuliQuota());
      background(processor, scenario.costs().idleLazuli());
      pauses(processor, scenario.faults().lazuliPauses());
      lazuli.add(new Lazuli(this, processor, scenario.load().accounts(), random.split()));
    }
    Duration loss = scenario.faults().lossAt();
    if (!loss.isZero()) {
      events.at(loss.toNanos(), () -> lose(scenario.faults().lost()));
    }
  }

  private void addRegionServer(int number) {
    Scenario.Nodes nodes = scenario.nodes();
    Processor processor = processor(nodes.regionCores(), nodes.regionQuota());
    background(processor, scenario.costs().idleRegionServer());
    pauses(processor, scenario.faults().regionPauses());
    int[] replicas = new int[REPLICAS];
    for (int i = 0; i < REPLICAS; i++) {
      // The first replica is on the machine of the region server, if it has a data node.
      replicas[i] = i == 0 ? number : random.nextInt(nodes.regionServers());
    }
    Log log = new Log(events, done -> sync(replicas, done));
    regionServers.add(new RegionServer(events, network(), nodes.handlers(), processor, log));
  }

  private Processor processor(int cores, Processor.Quota quota) {
    long first = quota.exists() ? -random.nextLong(quota.period()) : 0;
    Machine own = shared == null ? new Machine(events, cores, 0) : shared;
    return new Processor(events, own, cores, quota, first);
  }

  /** Returns a processor for the clients: that of the shared machine, or one that is never busy. */
  Processor ofClients() {
    return processor(Integer.MAX_VALUE, Processor.Quota.NONE);
  }

  /** Makes a sync: the data nodes work at the same time, and the slowest one counts. */
  private void sync(int[] replicas, Runnable done) {
    int[] left = {REPLICAS};
    for (int replica : replicas) {
      dataNodes
          .get(replica)
          .run(
              scenario.costs().dataNode(),
              () -> {
                left[0]--;
                if (left[0] == 0) {
                  events.after(scenario.costs().log(), done);
                }
              });
    }
  }

  /** Uses a processor a little, as it is used without requests: a hundred times a second. */
  private void background(Processor processor, double cores) {
    long every = Duration.ofMillis(10).toNanos();
    long work = Math.round(every * cores);
    if (work > 0) {
      events.after(random.nextLong(every), new Background(processor, work, every));
    }
  }

  private final class Background implements Runnable {
    private final Processor processor;
    private final long work;
    private final long every;

    Background(Processor processor, long work, long every) {
      this.processor = processor;
      this.work = work;
      this.every = every;
    }

    @Override
    public void run() {
      processor.run(work, () -> {});
      events.after(every, this);
    }
  }

  private void pauses(Processor processor, Scenario.Pauses pauses) {
    if (!pauses.every().isZero()) {
      SplittableRandom own = random.split();
      events.after(gap(own, pauses), () -> pause(processor, pauses, own));
    }
  }

  private void pause(Processor processor, Scenario.Pauses pauses, SplittableRandom own) {
    processor.pause(pauses.length().toNanos());
    events.after(gap(own, pauses), () -> pause(processor, pauses, own));
  }

  private static long gap(SplittableRandom own, Scenario.Pauses pauses) {
    return (long) (-Math.log(1 - own.nextDouble()) * pauses.every().toNanos());
  }

  private void lose(int number) {
    regionServers.get(number).kill();
    events.after(Bounds.SESSION + Bounds.RECOVERY, () -> recover(number));
  }

  /** Opens the regions of a dead server on others. */
  private void recover(int number) {
    if (metaServer == number) {
      metaServer = other(number);
    }
    for (int region = 0; region < servers.length; region++) {
      if (servers[region] == number) {
        servers[region] = other(number);
      }
    }
  }

  private int other(int number) {
    int some = random.nextInt(regionServers.size() - 1);
    return some < number ? some : some + 1;
  }

  Scenario scenario() {
    return scenario;
  }

  Events events() {
    return events;
  }

  SplittableRandom random() {
    return random;
  }

  long network() {
    return scenario.costs().network();
  }

  int regionOf(long partition) {
    return balance.regionOf(partition);
  }

  int homeRegion(int account) {
    return dataRegions + account;
  }

  int firstServerOf(int region) {
    return firstServers[region];
  }

  /** Returns the server that {@code hbase:meta} names; it may have died. */
  int serverOf(int region) {
    return servers[region];
  }

  RegionServer regionServer(int number) {
    return regionServers.get(number);
  }

  RegionServer metaServer() {
    return regionServers.get(metaServer);
  }

  void countLookUp() {
    lookUps++;
  }

  long lookUps() {
    return lookUps;
  }

  Balance balance() {
    return balance;
  }

  List<RegionServer> regionServers() {
    return regionServers;
  }

  List<Processor> dataNodes() {
    return dataNodes;
  }

  List<Lazuli> lazuli() {
    return lazuli;
  }

  void reset() {
    lookUps = 0;
    regionServers.forEach(RegionServer::reset);
    dataNodes.forEach(each -> each.usage().reset());
    lazuli.forEach(Lazuli::reset);
  }
}
