package io.lazuli.storage.hbase.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class HandoverTest {
  private final Queue<Runnable> workers = new ArrayDeque<>();
  private final Handover handover = new Handover(workers::add);
  private final List<String> done = new ArrayList<>();

  @Test
  void tasksThatComeTogetherAreRunByOneWorker() {
    handover.execute(() -> done.add("a"));
    handover.execute(() -> done.add("b"));
    assertThat(workers).hasSize(1);
    workers.remove().run();
    assertThat(done).containsExactly("a", "b");
    handover.execute(() -> done.add("c"));
    assertThat(workers).hasSize(1);
    workers.remove().run();
    assertThat(done).containsExactly("a", "b", "c");
  }

  @Test
  void aTaskThatComesWhileAnotherRunsIsNotForgotten() {
    handover.execute(
        () -> {
          done.add("a");
          handover.execute(() -> done.add("b"));
        });
    workers.remove().run();
    assertThat(done).containsExactly("a", "b");
    assertThat(workers).isEmpty();
  }

  @Test
  void aTaskThatFailsDoesNotStopTheOthers() {
    RuntimeException fault = new IllegalStateException("fault");
    handover.execute(
        () -> {
          throw fault;
        });
    handover.execute(() -> done.add("b"));
    workers.remove().run();
    assertThat(done).containsExactly("b");
    assertThat(workers).as("a worker reports the failure").hasSize(1);
    assertThatThrownBy(() -> workers.remove().run()).isSameAs(fault);
  }
}
