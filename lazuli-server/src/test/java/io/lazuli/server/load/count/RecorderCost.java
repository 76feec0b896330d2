package io.lazuli.server.load.count;

import io.lazuli.server.event.RequestListener;
import io.lazuli.server.load.LoadRequest;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Measures the CPU time of recording one point read. Not a test: run it by hand. Decision 0064 has
 * its figures.
 */
final class RecorderCost {
  private static final int REQUESTS = 4_096;
  private static final int LOOPS = 400;

  private RecorderCost() {}

  public static void main(String[] args) throws InterruptedException {
    for (int[] shape : new int[][] {{4, 230}, {60, 15}, {1, 1}}) {
      for (boolean skewed : new boolean[] {false, true}) {
        for (int threads : new int[] {1, 2}) {
          run(shape[0], shape[1], skewed, threads);
        }
      }
    }
  }

  private static void run(int spaces, int ranges, boolean skewed, int threads)
      throws InterruptedException {
    Recorder recorder = new Recorder(System::currentTimeMillis);
    List<Generation.Start> starts = new ArrayList<>();
    for (int i = 0; i < spaces; i++) {
      List<String> bounds = new ArrayList<>(List.of(""));
      for (int j = 1; j < ranges; j++) {
        bounds.add("partition-%04d".formatted(j));
      }
      starts.add(new Generation.Start(new SpaceName("acme", "table", "Table" + i), bounds));
    }
    Generation unused = recorder.replace(new Generation(starts));
    Random random = new Random(7);
    List<LoadRequest> requests = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      double share = random.nextDouble();
      int key = (int) ((skewed ? share * share * share * share : share) * ranges);
      // New texts, as in a request.
      requests.add(
          LoadRequest.get(
              "Table" + random.nextInt(spaces),
              "partition-%04d-%d".formatted(key, i % 10),
              "row" + i));
    }
    List<Double> rounds = new ArrayList<>();
    for (int round = 0; round < 12; round++) {
      Thread[] all = new Thread[threads];
      double[] nanos = new double[threads];
      for (int t = 0; t < threads; t++) {
        int place = t;
        all[t] = new Thread(() -> nanos[place] = loop(recorder, requests));
        all[t].start();
      }
      for (Thread thread : all) {
        thread.join();
      }
      if (round >= 3) {
        rounds.add(Arrays.stream(nanos).average().orElseThrow());
      }
    }
    rounds.sort(null);
    System.out.printf(
        "%d x %d %s, %d threads: best %.0f ns, median %.0f ns%n",
        spaces,
        ranges,
        skewed ? "skewed" : "uniform",
        threads,
        rounds.get(0),
        rounds.get(rounds.size() / 2));
  }

  private static double loop(Recorder recorder, List<LoadRequest> requests) {
    RequestListener listener = recorder.of("table");
    var events = requests.stream().map(LoadRequest::event).toList();
    var bean = ManagementFactory.getThreadMXBean();
    long before = bean.getCurrentThreadCpuTime();
    for (int i = 0; i < LOOPS; i++) {
      for (int j = 0; j < REQUESTS; j++) {
        listener.requestEnded(events.get(j), requests.get(j));
      }
      if (i % 4 == 0) {
        int unused = recorder.samples().size();
      }
    }
    return (double) (bean.getCurrentThreadCpuTime() - before) / LOOPS / REQUESTS;
  }
}
