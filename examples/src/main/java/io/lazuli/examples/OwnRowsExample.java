package io.lazuli.examples;

import com.azure.core.exception.HttpResponseException;
import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.TableClientBuilder;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.pattern.sas.AsyncSasBroker;
import io.lazuli.client.pattern.sas.KeyRange;
import io.lazuli.client.pattern.sas.RenewingSas;
import io.lazuli.client.pattern.sas.SasToken;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.Table;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * A SAS broker: each employee may read the own expense notes, directly from the table and without
 * the key of the account. Takes a connection string.
 */
public final class OwnRowsExample {
  /** A note. Its id begins with the employee. */
  public record Note(@PartitionKey String department, @RowKey String id, String text) {}

  private static final EntityKey KIMS = new EntityKey("Sales", "kim_1");

  private final String endpoint;
  private final TableAsyncClient withKey;
  private final AsyncSasBroker<String> broker;

  public OwnRowsExample(Account account) {
    endpoint = account.tables().getServiceEndpoint();
    withKey = account.table("Notes");
    broker = AsyncSasBroker.of(withKey, user -> Mono.just(KeyRange.prefix("Sales", user + "_")));
  }

  public static void main(String[] args) {
    OwnRowsExample example = new OwnRowsExample(Account.of(args));
    Table<Note> all = Table.of(example.withKey, Note.class);
    all.upsertReplace(new Note("Sales", "jo_1", "taxi"));
    all.upsertReplace(new Note("Sales", "jo_2", "hotel"));
    all.upsertReplace(new Note("Sales", "kim_1", "train"));
    Table<Note> own = example.clientOf("jo");
    System.out.println(texts(own));
    System.out.println("reads the note of kim: " + own.find(KIMS).isPresent());
    System.out.println("changes the note of kim: " + changes(own));
  }

  /**
   * Returns the table as the program of an employee sees it. In production that program gets its
   * token from a service of yours, which has the broker.
   */
  public Table<Note> clientOf(String user) {
    Mono<SasToken> askTheBroker = broker.token(user);
    RenewingSas sas = RenewingSas.of(askTheBroker);
    TableAsyncClient client =
        new TableClientBuilder()
            .endpoint(endpoint)
            .tableName(withKey.getTableName())
            .credential(sas.credential())
            .addPolicy(sas)
            .buildAsyncClient();
    return Table.of(client, Note.class);
  }

  private static List<String> texts(Table<Note> notes) {
    return notes.query(Query.all()).map(Note::text).toList();
  }

  private static boolean changes(Table<Note> notes) {
    try {
      notes.upsertReplace(new Note(KIMS.partitionKey(), KIMS.rowKey(), "ship"));
      return true;
    } catch (HttpResponseException e) {
      return false;
    }
  }
}
