package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableServiceException;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.halt.Journal.End;
import io.lazuli.client.pattern.sas.AsyncSasBroker;
import io.lazuli.client.pattern.sas.KeyRange;
import io.lazuli.client.pattern.sas.RenewingSas;
import io.lazuli.client.pattern.sas.SasOptions;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * A user who may write to the rows of a prefix only, and whose broker is halted and started again
 * with the process. The broker keeps nothing, so tokens of a halted broker stay valid.
 */
record SasWorkload(World world) implements Workload {
  private AsyncSasBroker<String> broker(TestClient client) {
    return AsyncSasBroker.<String>of(
            client.table(world.table()), user -> Mono.just(KeyRange.prefix("Sales", user + "_")))
        .with(SasOptions.DEFAULT.withPermissions("raud"));
  }

  private TableClient jo(TestClient client) {
    RenewingSas sas = RenewingSas.of(broker(client).token("jo"));
    return new TableClientBuilder()
        .endpoint(client.tables().getServiceEndpoint())
        .tableName(world.table())
        .credential(sas.credential())
        .addPolicy(sas)
        .addPolicy(client.cuts())
        .buildClient();
  }

  @Override
  public Actor actor(TestClient client, Journal journal) {
    TableClient jo = jo(client);
    return random -> {
      String id = Long.toHexString(random.nextLong());
      if (random.nextInt(4) == 0) {
        journal.attempt("foreign " + id, () -> write(jo, "mo_" + id));
      } else {
        journal.attempt("own " + id, () -> write(jo, "jo_" + id));
      }
    };
  }

  private static void write(TableClient jo, String row) {
    try {
      jo.upsertEntity(new TableEntity("Sales", row));
    } catch (TableServiceException rejected) {
      assertThat(row).as("a row that the token does not cover").startsWith("mo_");
    }
  }

  @Override
  public void check(TestClient live, History history) {
    List<String> rows =
        live.table(world.table()).listEntities().map(TableEntity::getRowKey).toStream().toList();
    assertThat(rows).allMatch(row -> row.startsWith("jo_"));
    assertThat(rows)
        .containsAll(history.words("own", End.DONE).stream().map(id -> "jo_" + id).toList());
    write(jo(live), "jo_later");
  }
}
