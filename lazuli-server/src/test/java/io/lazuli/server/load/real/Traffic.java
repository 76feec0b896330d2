package io.lazuli.server.load.real;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * Lets programs on several machines work at given rates, however long the server takes for an
 * answer. The moments within each tenth of a second are random. Work that is late is noted.
 */
final class Traffic implements AutoCloseable {
  private static final int SLICES = 10;
  private static final long SLICE_NANOS = TimeUnit.SECONDS.toNanos(1) / SLICES;

  /** Work that is repeated until it is stopped. */
  record Stream(List<Machine> machines, DoubleSupplier perSecond, Consumer<Machine> work) {}

  private final List<Stream> streams = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService clock =
      Executors.newScheduledThreadPool(
          1,
          work -> {
            Thread thread = new Thread(work, "traffic-clock");
            thread.setDaemon(true);
            return thread;
          });
  private final List<Machine> machines;

  Traffic(List<Machine> machines) {
    this.machines = machines;
    var unused = clock.scheduleAtFixedRate(this::slice, 0, SLICE_NANOS, TimeUnit.NANOSECONDS);
  }

  /** The machines of the application. */
  List<Machine> machines() {
    return machines;
  }

  Machine anyMachine() {
    return machines.get(ThreadLocalRandom.current().nextInt(machines.size()));
  }

  /** Repeats work on any of the machines, at a rate that may change. */
  Stream every(DoubleSupplier perSecond, Consumer<Machine> work) {
    return every(machines, perSecond, work);
  }

  /** Repeats work on some of the machines, at a rate that may change. */
  Stream every(List<Machine> some, DoubleSupplier perSecond, Consumer<Machine> work) {
    Stream stream = new Stream(some, perSecond, work);
    streams.add(stream);
    return stream;
  }

  void stop(Stream stream) {
    streams.remove(stream);
  }

  /** Does work once, after some seconds. */
  void after(double seconds, Machine machine, Consumer<Machine> work) {
    plan((long) (seconds * 1e9), machine, work);
  }

  /** Does work again and again, with a period of some seconds. */
  void timer(double first, double period, Machine machine, Consumer<Machine> work) {
    var unused =
        clock.scheduleAtFixedRate(
            () -> machine.run(System.nanoTime(), () -> work.accept(machine)),
            (long) (first * 1e9),
            (long) (period * 1e9),
            TimeUnit.NANOSECONDS);
  }

  private void plan(long delayNanos, Machine machine, Consumer<Machine> work) {
    long planned = System.nanoTime() + delayNanos;
    var unused =
        clock.schedule(
            () -> machine.run(planned, () -> work.accept(machine)),
            delayNanos,
            TimeUnit.NANOSECONDS);
  }

  private void slice() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (Stream stream : streams) {
      double expected = stream.perSecond.getAsDouble() / SLICES;
      int times = (int) expected + (random.nextDouble() < expected - Math.floor(expected) ? 1 : 0);
      for (int i = 0; i < times; i++) {
        Machine machine = stream.machines.get(random.nextInt(stream.machines.size()));
        plan(random.nextLong(SLICE_NANOS), machine, stream.work);
      }
    }
  }

  /** Begins nothing more. The machines stay. */
  @Override
  public void close() {
    streams.clear();
    clock.shutdownNow();
  }
}
