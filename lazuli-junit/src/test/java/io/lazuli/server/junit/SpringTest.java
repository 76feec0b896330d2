package io.lazuli.server.junit;

import static io.lazuli.server.junit.SignedRequests.answers;
import static io.lazuli.server.junit.SignedRequests.createTable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/**
 * Spring keeps an application context for all test classes with the same configuration. The context
 * has the addresses of the server, so the server must live as long.
 */
class SpringTest {
  private static final List<Seen> SEEN = new ArrayList<>();

  private record Seen(Application application, String endpoint, int status) {}

  @BeforeEach
  void forget() {
    SEEN.clear();
  }

  /** An application that gets the address of its storage from its configuration. */
  @Configuration
  static class Application {
    @Value("${tables}")
    private String tables = "";
  }

  /** Before, the second class failed: its server was a new one, at another port. */
  @Test
  void subclassesOfOneBaseClassShareContextAndServer() {
    runAll(2, First.class, Second.class);
    assertSameContextAndServer();
  }

  @SpringJUnitConfig(Application.class)
  abstract static class Base {
    @RegisterExtension static final LazuliExtension LAZULI = new LazuliExtension();

    @DynamicPropertySource
    static void storage(DynamicPropertyRegistry properties) {
      properties.add("tables", LAZULI::tableEndpoint);
    }

    @Autowired private Application application;

    @Test
    void test() {
      see(application, LAZULI);
    }
  }

  static class First extends Base {}

  static class Second extends Base {}

  /** Before, the server was not running yet when Spring asked for its address. */
  @Test
  void thatIsAlsoTrueWithOneInstancePerClass() {
    runAll(2, FirstInstance.class, SecondInstance.class);
    assertSameContextAndServer();
  }

  @SpringJUnitConfig(Application.class)
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class BaseOfInstances {
    @RegisterExtension static final LazuliExtension LAZULI = new LazuliExtension().onDisk();

    @DynamicPropertySource
    static void storage(DynamicPropertyRegistry properties) {
      properties.add("tables", LAZULI::tableEndpoint);
    }

    @Autowired private Application application;

    @Test
    void test() {
      see(application, LAZULI);
    }
  }

  static class FirstInstance extends BaseOfInstances {}

  static class SecondInstance extends BaseOfInstances {}

  @Test
  void theServerOfTheJvmServesAllContexts() {
    runAll(2, FirstShared.class, SecondShared.class);
    assertSameContextAndServer();
  }

  @SpringJUnitConfig(Application.class)
  abstract static class BaseWithSharedServer {
    static final LazuliExtension LAZULI = new LazuliExtension().perJvm();

    @DynamicPropertySource
    static void storage(DynamicPropertyRegistry properties) {
      properties.add("tables", LAZULI::tableEndpoint);
    }

    @Autowired private Application application;

    @Test
    void test() {
      see(application, LAZULI);
    }
  }

  static class FirstShared extends BaseWithSharedServer {}

  static class SecondShared extends BaseWithSharedServer {}

  /** A context cannot have the address of a server that exists only during one test. */
  @Test
  void theServerOfATestIsNotKept() {
    runAll(1, OwnServer.class);
    assertThat(answers(SEEN.get(0).endpoint())).isFalse();
  }

  @Configuration
  static class NoStorage {}

  @SpringJUnitConfig(NoStorage.class)
  static class OwnServer {
    @RegisterExtension final LazuliExtension lazuli = new LazuliExtension();

    @Test
    void test() {
      SEEN.add(new Seen(new Application(), lazuli.tableEndpoint(), 0));
    }
  }

  private static void see(Application application, LazuliExtension lazuli) {
    assertThat(application.tables).isEqualTo(lazuli.tableEndpoint());
    assertThat(answers(application.tables)).isTrue();
    SEEN.add(new Seen(application, application.tables, createTable(lazuli.server(), "Employees")));
  }

  /** The second class finds the table that the first one created. */
  private static void assertSameContextAndServer() {
    assertThat(SEEN).extracting(Seen::status).containsExactly(201, 409);
    assertThat(SEEN).extracting(Seen::application).containsOnly(SEEN.get(0).application());
    assertThat(SEEN).extracting(Seen::endpoint).containsOnly(SEEN.get(0).endpoint());
    assertThat(answers(SEEN.get(0).endpoint())).as("until the JVM ends").isTrue();
  }

  private static void runAll(int tests, Class<?>... classes) {
    EngineTestKit.Builder kit = EngineTestKit.engine("junit-jupiter");
    for (Class<?> type : classes) {
      kit.selectors(selectClass(type));
    }
    kit.execute().testEvents().assertStatistics(all -> all.started(tests).succeeded(tests));
  }
}
