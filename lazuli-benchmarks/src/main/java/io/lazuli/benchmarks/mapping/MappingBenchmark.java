package io.lazuli.benchmarks.mapping;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityCodec;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Converts an employee to an entity and back, by hand and with the library, alone and in a program
 * that also maps other types.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MappingBenchmark {
  /** Whether the program also maps other types. */
  @Param({"false", "true"})
  public boolean mixed;

  private final EntityCodec<Employee> codec = EntityCodec.of(Employee.class);
  private final Employee employee =
      new Employee(
          "Sales",
          "000223",
          "Jun",
          "Cao",
          47,
          123_456_789_012L,
          4.5,
          true,
          Instant.parse("2014-08-22T00:32:46.1234567Z"),
          UUID.fromString("00000000-0000-4000-8000-000000000001"));
  private final TableEntity entity = byHand(employee);

  @Setup
  public void mapOtherTypes(Blackhole results) {
    if (mixed) {
      results.consume(OtherTypes.map());
    }
  }

  @Benchmark
  public TableEntity writeByHand() {
    return byHand(employee);
  }

  private static TableEntity byHand(Employee employee) {
    return new TableEntity(employee.department(), employee.id())
        .addProperty("FirstName", employee.firstName())
        .addProperty("LastName", employee.lastName())
        .addProperty("Age", employee.age())
        .addProperty("Salary", employee.salary())
        .addProperty("Rating", employee.rating())
        .addProperty("Active", employee.active())
        .addProperty("Hired", employee.hired().atOffset(ZoneOffset.UTC))
        .addProperty("Badge", employee.badge());
  }

  @Benchmark
  public TableEntity write() {
    return codec.write(employee);
  }

  @Benchmark
  public Employee readByHand() {
    return new Employee(
        entity.getPartitionKey(),
        entity.getRowKey(),
        (String) entity.getProperty("FirstName"),
        (String) entity.getProperty("LastName"),
        (Integer) entity.getProperty("Age"),
        (Long) entity.getProperty("Salary"),
        (Double) entity.getProperty("Rating"),
        (Boolean) entity.getProperty("Active"),
        ((OffsetDateTime) entity.getProperty("Hired")).toInstant(),
        (UUID) entity.getProperty("Badge"));
  }

  @Benchmark
  public Employee read() {
    return codec.read(entity);
  }
}
