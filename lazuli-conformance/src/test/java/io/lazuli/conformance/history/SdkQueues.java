package io.lazuli.conformance.history;

import com.azure.core.exception.AzureException;
import com.azure.core.util.Context;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import com.azure.storage.queue.models.QueueStorageException;
import com.azure.storage.queue.models.SendMessageResult;
import io.lazuli.storage.history.queue.QueueClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The official client for queues. */
final class SdkQueues implements QueueClient {
  private static final int NOT_FOUND = 404;

  private final QueueServiceClient service;

  SdkQueues(String connection) {
    this.service =
        new QueueServiceClientBuilder()
            .connectionString(connection)
            .retryOptions(once())
            .buildClient();
  }

  /** Returns options that send no request twice. */
  static RequestRetryOptions once() {
    return new RequestRetryOptions(RetryPolicyType.FIXED, 1, 60, null, null, null);
  }

  @Override
  public void create(String queue) {
    service.createQueue(queue);
  }

  @Override
  public Message put(String queue, String text) throws IOException {
    try {
      SendMessageResult sent = service.getQueueClient(queue).sendMessage(text);
      return new Message(sent.getMessageId(), sent.getPopReceipt(), 0, "");
    } catch (AzureException e) {
      throw new IOException(e);
    }
  }

  @Override
  public List<Message> get(String queue, int max, int seconds) throws IOException {
    try {
      return service
          .getQueueClient(queue)
          .receiveMessages(max, Duration.ofSeconds(seconds), null, Context.NONE)
          .stream()
          .map(
              each ->
                  new Message(
                      each.getMessageId(),
                      each.getPopReceipt(),
                      (int) each.getDequeueCount(),
                      each.getBody().toString()))
          .toList();
    } catch (AzureException e) {
      throw new IOException(e);
    }
  }

  @Override
  public List<Message> peek(String queue, int max) throws IOException {
    try {
      return service.getQueueClient(queue).peekMessages(max, null, Context.NONE).stream()
          .map(
              each ->
                  new Message(
                      each.getMessageId(),
                      "",
                      (int) each.getDequeueCount(),
                      each.getBody().toString()))
          .toList();
    } catch (AzureException e) {
      throw new IOException(e);
    }
  }

  @Override
  public String update(String queue, String id, String receipt, int seconds) throws IOException {
    try {
      return service
          .getQueueClient(queue)
          .updateMessage(id, receipt, null, Duration.ofSeconds(seconds))
          .getPopReceipt();
    } catch (QueueStorageException e) {
      requireNotFound(e);
      return "";
    } catch (AzureException e) {
      throw new IOException(e);
    }
  }

  @Override
  public boolean delete(String queue, String id, String receipt) throws IOException {
    try {
      service.getQueueClient(queue).deleteMessage(id, receipt);
      return true;
    } catch (QueueStorageException e) {
      requireNotFound(e);
      return false;
    } catch (AzureException e) {
      throw new IOException(e);
    }
  }

  private static void requireNotFound(QueueStorageException e) throws IOException {
    if (e.getStatusCode() != NOT_FOUND) {
      throw new IOException(e);
    }
  }

  @Override
  public int count(String queue) throws IOException {
    try {
      return (int) service.getQueueClient(queue).getProperties().getApproximateMessagesCountLong();
    } catch (AzureException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() {}
}
