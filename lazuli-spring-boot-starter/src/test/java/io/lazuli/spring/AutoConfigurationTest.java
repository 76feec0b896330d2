package io.lazuli.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.queue.QueueServiceAsyncClient;
import com.azure.storage.queue.QueueServiceClient;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.pattern.outbox.Outbox;
import io.lazuli.client.pattern.outbox.OutboxMessage;
import io.lazuli.client.pattern.outbox.OutboxWorker;
import io.lazuli.client.table.Table;
import io.lazuli.server.LazuliServer;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.spring.app.Application;
import io.lazuli.spring.app.Employee;
import io.lazuli.spring.app.Vehicle;
import io.lazuli.spring.app.Vehicle.Bike;
import io.lazuli.testcontainers.LazuliContainer;
import java.net.URI;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class AutoConfigurationTest {
  private static LazuliServer server;

  private final ApplicationContextRunner bare =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  InProcessServerAutoConfiguration.class, LazuliAutoConfiguration.class));

  private final ApplicationContextRunner application =
      bare.withUserConfiguration(Application.class)
          .withPropertyValues("lazuli.connection-string=" + server.connectionString());

  @BeforeAll
  static void start() {
    server = LazuliServer.start(ServerConfig.builder().freePorts().engine("memory").build());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** A service of an application, as its author writes it. */
  static final class Offices {
    final Table<Employee> employees;
    final Table<Vehicle> vehicles;

    @Autowired
    Offices(Table<Employee> employees, Table<Vehicle> vehicles) {
      this.employees = employees;
      this.vehicles = vehicles;
    }
  }

  @Test
  void clientsOfAllServicesUseTheConnectionString() {
    application.run(
        context -> {
          context.getBean(TableServiceClient.class).createTable("FromSpring");
          context.getBean(QueueServiceClient.class).createQueue("from-spring");
          context.getBean(BlobServiceClient.class).createBlobContainer("from-spring");
          TableServiceClient other =
              new TableServiceClientBuilder()
                  .connectionString(server.connectionString())
                  .buildClient();
          assertThat(other.listTables()).extracting("name").contains("FromSpring");
        });
  }

  @Test
  void withoutSettingsTheServerOfThisMachineIsUsed() {
    bare.run(
        context ->
            assertThat(context.getBean(LazuliConnectionDetails.class).connectionString())
                .isEqualTo("UseDevelopmentStorage=true"));
  }

  @Test
  void eachStoredTypeHasATable() {
    application
        .withBean(Offices.class)
        .run(
            context -> {
              Offices offices = context.getBean(Offices.class);
              offices.employees.upsertReplace(new Employee("Sales", "1", "Jones"));
              offices.vehicles.upsertReplace(new Bike("Jones", "b1", "red"));
              assertThat(offices.vehicles.find(new EntityKey("Jones", "b1")))
                  .contains(new Bike("Jones", "b1", "red"));
              assertThat(
                      context
                          .getBean(TableServiceClient.class)
                          .getTableClient("Employees")
                          .getEntity("Sales", "1")
                          .getProperty("LastName"))
                  .isEqualTo("Jones");
            });
  }

  @Test
  void namesOfTablesHavePlaceholders() {
    application
        .withPropertyValues("prefix=Test")
        .run(
            context ->
                assertThat(context.getBean(TableServiceClient.class).listTables())
                    .extracting("name")
                    .contains("TestEmployees"));
  }

  @Test
  void tablesAreNotCreatedIfTheApplicationMayNot() {
    application
        .withPropertyValues("lazuli.create-tables=false", "prefix=Absent")
        .run(
            context ->
                assertThat(context.getBean(TableServiceClient.class).listTables())
                    .extracting("name")
                    .doesNotContain("AbsentEmployees"));
  }

  /** An application with a table of its own for a stored type. */
  @Configuration(proxyBeanMethods = false)
  static class OwnTable {
    @Bean
    Table<Employee> mine(TableServiceClient tables) {
      return Table.of(tables.createTableIfNotExists("Mine"), Employee.class);
    }
  }

  @Test
  void aTableOfTheApplicationReplacesOurs() {
    application
        .withUserConfiguration(OwnTable.class)
        .withBean(Offices.class)
        .run(
            context -> {
              context.getBean(Offices.class).employees.insert(new Employee("Own", "1", "Lee"));
              assertThat(
                      context
                          .getBean(TableServiceClient.class)
                          .getTableClient("Mine")
                          .getEntity("Own", "1")
                          .getProperty("LastName"))
                  .isEqualTo("Lee");
            });
  }

  @Test
  void workersRunWhileTheApplicationRuns() {
    application.run(
        context -> {
          Outbox outbox =
              Outbox.of(
                  context
                      .getBean(QueueServiceAsyncClient.class)
                      .getQueueAsyncClient(Application.QUEUE));
          outbox.send(new OutboxMessage("hello", new EntityKey("p", "r"))).block();
          BlockingQueue<?> done = context.getBean(BlockingQueue.class);
          assertThat(done.poll(10, TimeUnit.SECONDS)).isEqualTo("hello");
          OutboxWorkers workers = context.getBean(OutboxWorkers.class);
          assertThat(workers.isRunning()).isTrue();
          workers.stop();
          outbox.send(new OutboxMessage("later", new EntityKey("p", "r"))).block();
          assertThat(done.poll(300, TimeUnit.MILLISECONDS)).isNull();
          workers.start();
          assertThat(done.poll(10, TimeUnit.SECONDS)).isEqualTo("later");
        });
  }

  @Test
  void workersMayStayStopped() {
    application
        .withPropertyValues("lazuli.start-workers=false")
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(OutboxWorker.class)
                    .doesNotHaveBean(OutboxWorkers.class));
  }

  @Test
  void aServerInTheProcessOfATest() {
    bare.withUserConfiguration(Application.class)
        .withBean(Offices.class)
        .withPropertyValues("lazuli.in-process=true")
        .run(
            context -> {
              assertThat(context).hasNotFailed().hasSingleBean(LazuliServer.class);
              context
                  .getBean(Offices.class)
                  .employees
                  .insert(new Employee("Sales", "in-process", "Kwok"));
              assertThat(context.getBean(LazuliConnectionDetails.class).connectionString())
                  .isNotEqualTo(server.connectionString());
            });
  }

  @Test
  void aServerThatIsNotOnTheClassPathIsNamed() {
    bare.withPropertyValues("lazuli.in-process=true")
        .withClassLoader(new FilteredClassLoader(LazuliServer.class))
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageContaining("io.lazuli:lazuli-junit"));
  }

  /** A container that seems to run; it leads to the server of this test. */
  private static final class Running extends LazuliContainer {
    Running() {
      super("lazuli:0.1.0");
    }

    @Override
    public void start() {}

    @Override
    public void stop() {}

    @Override
    public String getHost() {
      return "127.0.0.1";
    }

    @Override
    public Integer getMappedPort(int port) {
      return switch (port) {
        case 10000 -> URI.create(server.blobEndpoint()).getPort();
        case 10001 -> URI.create(server.queueEndpoint()).getPort();
        default -> URI.create(server.tableEndpoint()).getPort();
      };
    }
  }

  /** A test's configuration with a container. */
  @Configuration(proxyBeanMethods = false)
  static class WithContainer {
    @Bean
    @ServiceConnection
    LazuliContainer lazuli() {
      return new Running();
    }
  }

  @Test
  void aContainerIsConnectedForAllServices() {
    bare.withConfiguration(AutoConfigurations.of(ServiceConnectionAutoConfiguration.class))
        .withUserConfiguration(WithContainer.class)
        .withPropertyValues("lazuli.connection-string=unused")
        .run(
            context -> {
              context.getBean(TableServiceClient.class).createTable("FromContainer");
              context.getBean(QueueServiceClient.class).createQueue("from-container");
              context.getBean(BlobServiceClient.class).createBlobContainer("from-container");
            });
  }
}
