package io.lazuli.spring;

import io.lazuli.client.pattern.outbox.OutboxWorker;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/**
 * Starts all outbox workers after everything else, and stops them before everything else. A stop
 * waits until running steps have ended, as {@link OutboxWorker#close} says.
 */
final class OutboxWorkers implements SmartLifecycle {
  private final ObjectProvider<OutboxWorker> workers;
  private volatile boolean running;

  OutboxWorkers(ObjectProvider<OutboxWorker> workers) {
    this.workers = workers;
  }

  @Override
  public void start() {
    workers.forEach(OutboxWorker::start);
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    // At the same time: each may take 25 seconds, and Spring waits for 30.
    List<Thread> stops =
        workers.stream().map(worker -> new Thread(worker::close, "outbox-worker-stop")).toList();
    stops.forEach(Thread::start);
    stops.forEach(OutboxWorkers::join);
  }

  private static void join(Thread stop) {
    try {
      stop.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
