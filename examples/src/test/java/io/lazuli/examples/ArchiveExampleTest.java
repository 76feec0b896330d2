package io.lazuli.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueClientBuilder;
import io.lazuli.server.junit.LazuliExtension;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Wherever the worker is killed, the next one finishes with the employee archived, once. */
class ArchiveExampleTest {
  @RegisterExtension final LazuliExtension lazuli = new LazuliExtension();

  private final List<String> steps = new ArrayList<>();

  @Test
  void anEmployeeMoves() {
    ArchiveExample example = example();
    example.hire("Sales", "000123", "Kwok");
    example.leave("Sales", "000123");
    assertThat(example.processOne()).isTrue();
    assertThat(example.processOne()).isFalse();
    assertThat(steps)
        .containsExactly("hired", "requested", "received", "copied", "removed", "message deleted");
    assertArchived();
  }

  @ParameterizedTest
  @ValueSource(strings = {"received", "copied", "removed", "message deleted"})
  void aWorkerMayBeKilledAfterEachStep(String step) throws Exception {
    ArchiveExample example = example();
    example.hire("Sales", "000123", "Kwok");
    example.leave("Sales", "000123");
    killWorkerAfter(step);
    boolean finished = step.equals("message deleted");
    if (!finished) {
      Awaitility.await().until(example::processOne);
    }
    assertThat(example.processOne()).isFalse();
    assertArchived();
  }

  @Test
  void aMessageThatCannotBeProcessedGoesToThePoisonQueue() {
    ArchiveExample example = example();
    queue("archive").sendMessage("no key");
    for (int attempt = 1; attempt <= ArchiveExample.ATTEMPTS_MAX; attempt++) {
      Awaitility.await().until(() -> failsOn(example));
    }
    Awaitility.await().until(example::processOne);
    assertThat(queue("archive").getProperties().getApproximateMessagesCountLong()).isZero();
    assertThat(queue("archive-poison").peekMessage().getBody()).hasToString("no key");
  }

  private static boolean failsOn(ArchiveExample example) {
    try {
      assertThat(example.processOne()).as("a message was processed").isFalse();
      return false;
    } catch (ArrayIndexOutOfBoundsException noKey) {
      return true;
    }
  }

  private ArchiveExample example() {
    return new ArchiveExample(lazuli.connectionString(), Duration.ofSeconds(1), steps::add);
  }

  private void killWorkerAfter(String step) throws IOException, InterruptedException {
    Process worker =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ArchiveWorker.class.getName(),
                lazuli.connectionString(),
                step)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader output = worker.inputReader()) {
      String line = output.readLine();
      while (!step.equals(line)) {
        assertThat(line).as("the output of the worker before it is killed").isNotNull();
        line = output.readLine();
      }
    } finally {
      worker.destroyForcibly().waitFor();
    }
  }

  private void assertArchived() {
    assertThat(table("Current").listEntities()).isEmpty();
    assertThat(table("Archive").listEntities())
        .singleElement()
        .extracting(ArchiveExampleTest::text)
        .isEqualTo("Sales/000123 Kwok");
    assertThat(queue("archive").getProperties().getApproximateMessagesCountLong()).isZero();
  }

  private static String text(TableEntity employee) {
    return employee.getPartitionKey()
        + "/"
        + employee.getRowKey()
        + " "
        + employee.getProperty("LastName");
  }

  private TableClient table(String name) {
    return new TableClientBuilder()
        .connectionString(lazuli.connectionString())
        .tableName(name)
        .buildClient();
  }

  private QueueClient queue(String name) {
    return new QueueClientBuilder()
        .connectionString(lazuli.connectionString())
        .queueName(name)
        .buildClient();
  }
}
