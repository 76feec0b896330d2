package io.lazuli.server.junit;

import static io.lazuli.server.junit.SignedRequests.answers;
import static io.lazuli.server.junit.SignedRequests.createTable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.lazuli.server.LazuliServer;
import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineOpenException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Runs small test classes with the extension and checks which servers they used. */
class LazuliExtensionTest {
  private static final ConcurrentLinkedQueue<String> MET = new ConcurrentLinkedQueue<>();
  private static final CyclicBarrier BOTH = new CyclicBarrier(2);

  @BeforeEach
  void forget() {
    MET.clear();
  }

  @Test
  void aStaticFieldIsOneServerForTheClass() {
    runAll(3, OnePerClass.class);
    assertThat(MET).hasSize(5).containsOnly(MET.element());
    assertThat(answers(MET.element())).isFalse();
  }

  static class OnePerClass {
    @RegisterExtension static final LazuliExtension LAZULI = new LazuliExtension();

    @BeforeAll
    static void itRunsBefore() {
      meet(LAZULI.server());
    }

    @AfterAll
    static void andAfter() {
      meet(LAZULI.server());
    }

    @Test
    void first() {
      meet(LAZULI.server());
    }

    @Test
    void second() {
      meet(LAZULI.server());
    }

    @Test
    void itHasEndpoints() {
      meet(LAZULI.server());
      assertThat(LAZULI.tableEndpoint()).isEqualTo(LAZULI.server().tableEndpoint());
      assertThat(LAZULI.connectionString())
          .isEqualTo(LAZULI.server().connectionString())
          .contains("TableEndpoint=" + LAZULI.tableEndpoint() + ";");
    }
  }

  @Test
  void anInstanceFieldIsAServerPerTest() {
    runAll(2, OnePerTest.class);
    assertThat(MET).hasSize(2).doesNotHaveDuplicates();
    assertThat(MET).noneMatch(SignedRequests::answers);
  }

  static class OnePerTest {
    @RegisterExtension final LazuliExtension lazuli = new LazuliExtension().inMemory();

    @Test
    void first() {
      meet(lazuli.server());
      assertThat(createTable(lazuli.server(), "Employees")).isEqualTo(201);
    }

    @Test
    void second() {
      meet(lazuli.server());
      assertThat(createTable(lazuli.server(), "Employees")).isEqualTo(201);
    }
  }

  @Test
  void nestedClassesUseTheServerOfTheOuterOne() {
    runAll(3, Outer.class);
    assertThat(MET).hasSize(3).containsOnly(MET.element());
  }

  static class Outer {
    @RegisterExtension static final LazuliExtension LAZULI = new LazuliExtension().inMemory();

    @Test
    void outer() {
      meet(LAZULI.server());
    }

    @Nested
    class Inner {
      @Test
      void inner() {
        meet(LAZULI.server());
      }
    }

    @Nested
    class Other {
      @Test
      void itStillRunsAfterAnotherNestedClass() {
        meet(LAZULI.server());
      }
    }
  }

  @Test
  void aClassThatIsExtendedGetsTheServerAsParameter() {
    runAll(2, Parameters.class);
    assertThat(MET).hasSize(5).containsOnly(MET.element());
    assertThat(answers(MET.element())).isFalse();
  }

  @ExtendWith(LazuliExtension.class)
  static class Parameters {
    Parameters(LazuliServer server) {
      meet(server);
    }

    @BeforeAll
    static void before(LazuliServer server) {
      meet(server);
    }

    @Test
    void test(LazuliServer server) {
      meet(server);
    }

    @Nested
    class Inner {
      @Test
      void inner(LazuliServer server) {
        meet(server);
      }
    }
  }

  @Test
  void aConstructorGetsTheServerToo() {
    runAll(1, OneInstance.class);
    assertThat(MET).hasSize(2).containsOnly(MET.element());
    assertThat(answers(MET.element())).isFalse();
  }

  @ExtendWith(LazuliExtension.class)
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  static class OneInstance {
    OneInstance(LazuliServer server) {
      meet(server);
    }

    @Test
    void test(LazuliServer server) {
      meet(server);
    }
  }

  @Test
  void aMethodThatIsExtendedHasItsOwnServer() {
    runAll(2, ExtendedMethods.class);
    assertThat(MET).hasSize(2).doesNotHaveDuplicates();
    assertThat(MET).noneMatch(SignedRequests::answers);
  }

  static class ExtendedMethods {
    @Test
    @ExtendWith(LazuliExtension.class)
    void first(LazuliServer server) {
      meet(server);
    }

    @Test
    @ExtendWith(LazuliExtension.class)
    void second(LazuliServer server) {
      meet(server);
    }
  }

  @Test
  void classesThatRunAtTheSameTimeHaveTheirOwnServers() {
    runAll(2, ThisOne.class, ThatOne.class);
    assertThat(MET).hasSize(2).doesNotHaveDuplicates();
    assertThat(MET).noneMatch(SignedRequests::answers);
  }

  static class ThisOne {
    @RegisterExtension static final LazuliExtension LAZULI = new LazuliExtension();

    @Test
    void test() throws Exception {
      meetTogether(LAZULI.server());
    }
  }

  static class ThatOne {
    @RegisterExtension static final LazuliExtension LAZULI = new LazuliExtension();

    @Test
    void test() throws Exception {
      meetTogether(LAZULI.server());
    }
  }

  @Test
  void classesThatRunAtTheSameTimeShareTheServerThatTheyInherit() {
    runAll(2, OneHeir.class, OtherHeir.class);
    assertThat(MET).hasSize(2).containsOnly(MET.element());
    assertThat(answers(MET.element())).isFalse();
  }

  abstract static class Heritage {
    @RegisterExtension static final LazuliExtension LAZULI = new LazuliExtension();

    @Test
    void test() throws Exception {
      meetTogether(LAZULI.server());
    }
  }

  static class OneHeir extends Heritage {}

  static class OtherHeir extends Heritage {}

  @Test
  void aGivenFolderIsKept(@TempDir Path folder) {
    GivenFolder.folder = folder.resolve("data");
    runAll(1, GivenFolder.class);
    runAll(1, GivenFolder.class);
    assertThat(GivenFolder.folder).isNotEmptyDirectory();
    assertThat(MET).containsExactly("201", "409");
  }

  static class GivenFolder {
    static Path folder = Path.of("");

    @RegisterExtension final LazuliExtension lazuli = new LazuliExtension().data(folder);

    @Test
    void test() {
      MET.add(String.valueOf(createTable(lazuli.server(), "Employees")));
    }
  }

  @Test
  void aServerThatCannotStartFailsItsTests(@TempDir Path folder) {
    GivenFolder.folder = folder;
    try (TestServer first = TestServer.start(Options.DEFAULT.with(Storage.IN_MEMORY.in(folder)))) {
      run(GivenFolder.class)
          .testEvents()
          .failed()
          .assertThatEvents()
          .singleElement()
          .asString()
          .contains(EngineOpenException.class.getName());
    }
    runAll(1, GivenFolder.class);
  }

  @Test
  void thereIsNoServerBeforeAndAfterItsTests() {
    assertThatThrownBy(new LazuliExtension()::server)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("runs only while its tests run");
    runAll(3, OnePerClass.class);
    assertThatThrownBy(OnePerClass.LAZULI::connectionString)
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void settingsReturnAnotherExtension(@TempDir Path folder) {
    LazuliExtension plain = new LazuliExtension();
    assertThat(plain.data(folder).durable().storage())
        .isEqualTo(new Storage("rocksdb", folder, Durability.DISK));
    assertThat(plain.onDisk().storage())
        .isEqualTo(new Storage("rocksdb", null, Durability.RELAXED));
    assertThat(plain.durable().storage()).isEqualTo(new Storage("rocksdb", null, Durability.DISK));
    assertThat(plain.durable().inMemory().storage()).isEqualTo(plain.inMemory().storage());
    assertThat(plain.storage()).isEqualTo(new Storage("memory", null, Durability.RELAXED));
  }

  @Test
  void onDiskTheServerWorksInATemporaryFolder() {
    runAll(1, OnDisk.class);
    assertThat(MET).hasSize(1);
  }

  static class OnDisk {
    @RegisterExtension static final LazuliExtension LAZULI = new LazuliExtension().onDisk();

    @Test
    void test() {
      meet(LAZULI.server());
      assertThat(createTable(LAZULI.server(), "Employees")).isEqualTo(201);
    }
  }

  @Test
  void aPortCanBeChosen() throws IOException {
    FixedPorts.blob = freePort();
    FixedPorts.queue = freePort();
    FixedPorts.table = freePort();
    runAll(1, FixedPorts.class);
  }

  static class FixedPorts {
    static int blob;
    static int queue;
    static int table;

    @RegisterExtension
    final LazuliExtension lazuli =
        new LazuliExtension().blobPort(blob).queuePort(queue).tablePort(table);

    @Test
    void test() {
      assertThat(lazuli.blobEndpoint()).contains("127.0.0.1:" + blob + "/");
      assertThat(lazuli.queueEndpoint()).contains("127.0.0.1:" + queue + "/");
      assertThat(lazuli.tableEndpoint()).contains("127.0.0.1:" + table + "/");
      meet(lazuli.server());
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  @Test
  void classesShareTheServerOfTheJvm() {
    String before = new LazuliExtension().perJvm().tableEndpoint();
    runAll(2, OneSharer.class, OtherSharer.class);
    assertThat(MET).containsExactly(before, before);
    assertThat(answers(before)).isTrue();
    assertThat(new LazuliExtension().inMemory().perJvm().tableEndpoint()).isEqualTo(before);
    assertThat(new LazuliExtension().perJvm().onDisk().tableEndpoint()).isNotEqualTo(before);
  }

  static class OneSharer {
    @RegisterExtension static final LazuliExtension LAZULI = new LazuliExtension().perJvm();

    @Test
    void test() throws Exception {
      meetTogether(LAZULI.server());
    }
  }

  static class OtherSharer {
    @RegisterExtension final LazuliExtension lazuli = new LazuliExtension().perJvm();

    @Test
    void test() throws Exception {
      meetTogether(lazuli.server());
    }
  }

  private static void meet(LazuliServer server) {
    assertThat(answers(server.tableEndpoint())).isTrue();
    MET.add(server.tableEndpoint());
  }

  /** Waits until the other class does the same. */
  private static void meetTogether(LazuliServer server) throws Exception {
    BOTH.await(2, TimeUnit.MINUTES);
    meet(server);
  }

  private static void runAll(int tests, Class<?>... classes) {
    run(classes).testEvents().assertStatistics(events -> events.started(tests).succeeded(tests));
  }

  private static EngineExecutionResults run(Class<?>... classes) {
    EngineTestKit.Builder kit =
        EngineTestKit.engine("junit-jupiter")
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
            .configurationParameter(
                "junit.jupiter.execution.parallel.mode.classes.default", "concurrent")
            .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
            .configurationParameter(
                "junit.jupiter.execution.parallel.config.fixed.parallelism", "2");
    for (Class<?> type : classes) {
      kit.selectors(selectClass(type));
    }
    return kit.execute();
  }
}
