package io.lazuli.transfer.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.transfer.AwkwardEntities;
import io.lazuli.transfer.entity.EdmType;
import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.entity.EntityJson;
import io.lazuli.transfer.entity.Key;
import io.lazuli.transfer.entity.Property;
import io.lazuli.transfer.http.TransferException;
import io.lazuli.transfer.parquet.ParquetInput;
import io.lazuli.transfer.parquet.ParquetOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files keep entities as they are: also what is absent, null or empty. */
class FormatsTest {
  private static final Entity ABSENT = entity("absent");
  private static final Entity NULL = entity("null", new Property("X", EdmType.NULL, ""));
  private static final Entity EMPTY = entity("empty", new Property("X", EdmType.STRING, ""));
  private static final Entity EMPTY_BYTES = entity("bytes", new Property("X", EdmType.BINARY, ""));
  private static final List<Entity> DISTINCT = List.of(ABSENT, NULL, EMPTY, EMPTY_BYTES);

  @TempDir Path folder;

  private static Entity entity(String row, Property... properties) {
    return new Entity(new Key("p", row), "2026-11-18T01:02:03Z", List.of(properties));
  }

  @Test
  void jsonLinesKeepEverything() throws IOException {
    check(
        entities -> {
          StringBuilder text = new StringBuilder();
          for (Entity entity : entities) {
            EntityJson.writeLine(entity, text);
            text.append('\n');
          }
          return new JsonLinesInput(Files.writeString(folder.resolve("f"), text), 0);
        });
  }

  @Test
  void csvKeepsEverything() throws IOException {
    check(
        entities -> {
          Path file = folder.resolve("f");
          write(entities, new CsvOutput(file, columns(entities)));
          return new CsvInput(file, 0);
        });
  }

  @Test
  void parquetKeepsEverything() throws IOException {
    check(
        entities -> {
          Path file = folder.resolve("f" + System.nanoTime());
          write(entities, new ParquetOutput(file, columns(entities)));
          return new ParquetInput(file, 0);
        });
  }

  private interface RoundTrip {
    EntityInput open(List<Entity> entities) throws IOException;
  }

  private static void check(RoundTrip trip) throws IOException {
    assertThat(read(trip.open(DISTINCT))).isEqualTo(DISTINCT);
    List<Entity> awkward = AwkwardEntities.all().stream().map(AwkwardEntities::comparable).toList();
    assertThat(read(trip.open(awkward)).stream().map(AwkwardEntities::comparable))
        .isEqualTo(awkward);
  }

  private static List<Entity> read(EntityInput input) throws IOException {
    List<Entity> entities = new ArrayList<>();
    try (input) {
      Entity entity = input.next();
      while (entity != null) {
        entities.add(entity);
        entity = input.next();
      }
    }
    return entities;
  }

  private static void write(List<Entity> entities, EntityOutput output) throws IOException {
    try (output) {
      for (Entity entity : entities) {
        output.write(entity);
      }
    }
  }

  private static SortedSet<Column> columns(List<Entity> entities) {
    SortedSet<Column> columns = new TreeSet<>();
    entities.forEach(entity -> entity.properties().forEach(p -> columns.add(Column.of(p))));
    return columns;
  }

  @Test
  void everyPositionOfAFileContinuesAfterItsEntity() throws IOException {
    List<Entity> entities =
        AwkwardEntities.all().stream().map(AwkwardEntities::comparable).toList();
    Path csv = folder.resolve("f.csv");
    write(entities, new CsvOutput(csv, columns(entities)));
    Path parquet = folder.resolve("f.parquet");
    write(entities, new ParquetOutput(parquet, columns(entities)));
    try (CsvInput first = new CsvInput(csv, 0);
        ParquetInput second = new ParquetInput(parquet, 0)) {
      for (int i = 1; i <= entities.size(); i++) {
        first.next();
        second.next();
        if (i % 37 == 0 || i == entities.size()) {
          assertThat(read(new CsvInput(csv, first.position()))).hasSize(entities.size() - i);
          assertThat(read(new ParquetInput(parquet, second.position())))
              .hasSize(entities.size() - i);
        }
      }
      assertThat(first.position()).isEqualTo(first.end());
      assertThat(second.position()).isEqualTo(second.end());
    }
  }

  /** The text is what Storage Explorer 1.x writes for an entity with two properties. */
  @Test
  void csvOfStorageExplorerIsRead() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("f.csv"),
            """
            \ufeffPartitionKey,RowKey,Timestamp,Age,Age@type,Name,Name@type
            Sales,1,2026-11-18T01:02:03Z,42,Edm.Int32,"Jones, ""J""\",Edm.String
            Sales,2,2026-11-18T01:02:03Z,7,Int32,,
            """);
    assertThat(read(new CsvInput(file, 0)))
        .containsExactly(
            new Entity(
                new Key("Sales", "1"),
                "2026-11-18T01:02:03Z",
                List.of(
                    new Property("Age", EdmType.INT32, "42"),
                    new Property("Name", EdmType.STRING, "Jones, \"J\""))),
            new Entity(
                new Key("Sales", "2"),
                "2026-11-18T01:02:03Z",
                List.of(new Property("Age", EdmType.INT32, "7"))));
  }

  @Test
  void csvHasTheHeaderOfStorageExplorer() throws IOException {
    Path file = folder.resolve("f.csv");
    write(DISTINCT, new CsvOutput(file, columns(DISTINCT)));
    assertThat(Files.readString(file))
        .isEqualTo(
            String.join(
                "\r\n",
                "PartitionKey,RowKey,Timestamp,X,X@type",
                "p,absent,2026-11-18T01:02:03Z,,",
                "p,null,2026-11-18T01:02:03Z,,Edm.Null",
                "p,empty,2026-11-18T01:02:03Z,,Edm.String",
                "p,bytes,2026-11-18T01:02:03Z,,Edm.Binary",
                ""));
  }

  @Test
  void aDamagedFileIsReportedWithItsPlace() throws IOException {
    Path json = Files.writeString(folder.resolve("f"), "{\"PartitionKey\":\"p\"}\n");
    assertThatThrownBy(() -> read(new JsonLinesInput(json, 0)))
        .isInstanceOf(TransferException.class)
        .hasMessageContainingAll("the line at byte 0", "no RowKey");
    Path broken = Files.writeString(folder.resolve("g"), "\n{\"PartitionKey\":\n");
    assertThatThrownBy(() -> read(new JsonLinesInput(broken, 0)))
        .isInstanceOf(TransferException.class)
        .hasMessageContaining("the line at byte 1");
    Path csv = Files.writeString(folder.resolve("h"), "PartitionKey,RowKey\na,b,c\n");
    assertThatThrownBy(() -> read(new CsvInput(csv, 0)))
        .isInstanceOf(TransferException.class)
        .hasMessageContaining("3 fields instead of 2");
  }
}
