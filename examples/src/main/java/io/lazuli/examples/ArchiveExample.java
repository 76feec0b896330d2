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
 * which a worker processes in steps that may be repeated. Wherever a worker dies, the message
 * reappears, and the next worker finishes with the same result.
 *
 * <p>The program takes a connection string, archives one employee, and prints each step.
 */
public final class ArchiveExample {
  /**
   * A message that was delivered more often than this goes to the poison queue, for a person to
   * inspect.
   */
  static final int ATTEMPTS_MAX = 3;

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final TableClient current;
  private final TableClient archive;
  private final QueueClient work;
  private final QueueClient poison;
  private final Duration patience;
  private final Consumer<String> steps;

  /**
   * Creates the tables and queues if necessary.
   *
   * @param patience how long a message stays hidden from other workers: longer than the steps take
   * @param steps is called with the name of each step when it is done
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
      more = example.processOne();
    }
  }

  void hire(String department, String id, String lastName) {
    current.upsertEntity(new TableEntity(department, id).addProperty("LastName", lastName));
    steps.accept("hired");
  }

  /** Requests the move: once the message is stored, the move will happen. */
  void leave(String department, String id) {
    work.sendMessage(department + "/" + id);
    steps.accept("requested");
  }

  /** Processes one message; returns false if none is visible. */
  boolean processOne() {
    Optional<QueueMessageItem> message =
        work.receiveMessages(1, patience, TIMEOUT, Context.NONE).stream().findFirst();
    message.ifPresent(this::process);
    return message.isPresent();
  }

  private void process(QueueMessageItem message) {
    steps.accept("received");
    String text = message.getBody().toString();
    if (message.getDequeueCount() > ATTEMPTS_MAX) {
      // Send first, then delete: a crash in between leaves the message in both queues, not in
      // neither.
      poison.sendMessage(text);
      steps.accept("sent to the poison queue");
    } else {
      String[] keys = text.split("/", 2);
      move(keys[0], keys[1]);
    }
    work.deleteMessage(message.getMessageId(), message.getPopReceipt());
    steps.accept("message deleted");
  }

  /**
   * Moves an employee. May be repeated after any of its steps, and run in two workers at the same
   * time. The archive is written first, because an employee in neither table would be lost.
   */
  private void move(String department, String id) {
    Optional<TableEntity> employee = find(department, id);
    if (employee.isPresent()) {
      archive.upsertEntity(copy(employee.get()));
      steps.accept("copied");
      // An employee who was changed in between is copied again when the message reappears.
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
