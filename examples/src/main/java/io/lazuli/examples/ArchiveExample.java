package io.lazuli.examples;

import com.azure.core.util.Context;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableServiceException;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueClientBuilder;
import com.azure.storage.queue.models.QueueMessageItem;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The guide's eventually consistent transaction: an employee who leaves moves from the table {@code
 * Current} to the table {@code Archive}. No transaction spans two tables, so the move is a message,
 * and a worker works it off in steps that may be repeated. Wherever a worker dies, the message
 * comes back, and the next worker ends with the same result.
 *
 * <p>As a program it takes a connection string, archives one employee, and says each step.
 */
public final class ArchiveExample {
  /** A message that was handed out more often than this waits for a person to look at it. */
  static final int ATTEMPTS_MAX = 3;

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final TableClient current;
  private final TableClient archive;
  private final QueueClient work;
  private final QueueClient poison;
  private final Duration patience;
  private final Consumer<String> steps;

  /**
   * @param patience how long a message stays hidden from others: longer than the steps take
   * @param steps is told of each step when it is done
   */
  ArchiveExample(String connectionString, Duration patience, Consumer<String> steps) {
    TableServiceClient tables =
        new TableServiceClientBuilder().connectionString(connectionString).buildClient();
    tables.createTableIfNotExists("Current");
    tables.createTableIfNotExists("Archive");
    this.current = tables.getTableClient("Current");
    this.archive = tables.getTableClient("Archive");
    this.work = queue(connectionString, "archive");
    this.poison = queue(connectionString, "archive-poison");
    this.patience = patience;
    this.steps = steps;
  }

  private static QueueClient queue(String connectionString, String name) {
    QueueClient queue =
        new QueueClientBuilder().connectionString(connectionString).queueName(name).buildClient();
    queue.createIfNotExists();
    return queue;
  }

  public static void main(String[] args) {
    String connectionString = args.length == 0 ? "UseDevelopmentStorage=true" : args[0];
    ArchiveExample example = new ArchiveExample(connectionString, TIMEOUT, System.out::println);
    example.hire("Sales", "000123", "Kwok");
    example.leave("Sales", "000123");
    boolean more = true;
    while (more) {
      more = example.runUntilEmpty();
    }
  }

  void hire(String department, String id, String lastName) {
    current.upsertEntity(new TableEntity(department, id).addProperty("LastName", lastName));
    steps.accept("hired");
  }

  /** Asks for the move: once the message is stored, it will take place. */
  void leave(String department, String id) {
    work.sendMessage(department + "/" + id);
    steps.accept("asked");
  }

  /** Works off one message; false if there is none to be seen. */
  boolean runUntilEmpty() {
    Optional<QueueMessageItem> message =
        work.receiveMessages(1, patience, TIMEOUT, Context.NONE).stream().findFirst();
    message.ifPresent(this::runUntilEmpty);
    return message.isPresent();
  }

  private void runUntilEmpty(QueueMessageItem message) {
    steps.accept("received");
    String text = message.getBody().toString();
    if (message.getDequeueCount() > ATTEMPTS_MAX) {
      // First there, then gone here: a crash in between leaves it in both, never in neither.
      poison.sendMessage(text);
      steps.accept("put aside");
    } else {
      String[] keys = text.split("/", 2);
      move(keys[0], keys[1]);
    }
    work.deleteMessage(message.getMessageId(), message.getPopReceipt());
    steps.accept("message deleted");
  }

  /**
   * May be run again after any of its steps, and by two workers at a time. The archive comes first:
   * somebody who is in neither table would be lost.
   */
  private void move(String department, String id) {
    Optional<TableEntity> employee = find(department, id);
    if (employee.isPresent()) {
      archive.upsertEntity(copy(employee.get()));
      steps.accept("copied");
      // Whoever was changed meanwhile is copied again when the message comes back.
      current.deleteEntityWithResponse(employee.get(), true, TIMEOUT, Context.NONE);
      steps.accept("removed");
    }
  }

  private Optional<TableEntity> find(String department, String id) {
    try {
      return Optional.of(current.getEntity(department, id));
    } catch (TableServiceException e) {
      if (e.getResponse().getStatusCode() == 404) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static TableEntity copy(TableEntity employee) {
    return new TableEntity(employee.getPartitionKey(), employee.getRowKey())
        .addProperty("LastName", employee.getProperty("LastName"));
  }
}
