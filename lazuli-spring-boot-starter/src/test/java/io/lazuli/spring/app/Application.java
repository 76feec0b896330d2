package io.lazuli.spring.app;

import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.QueueServiceAsyncClient;
import com.azure.storage.queue.QueueServiceClient;
import io.lazuli.client.pattern.outbox.OutboxWorker;
import io.lazuli.client.pattern.outbox.PoisonQueue;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** An application with a worker. */
@Configuration(proxyBeanMethods = false)
@AutoConfigurationPackage
public class Application {
  /** The queue that the worker reads. */
  public static final String QUEUE = "work";

  @Bean
  BlockingQueue<String> done() {
    return new LinkedBlockingQueue<>();
  }

  @Bean
  OutboxWorker worker(
      QueueServiceClient queues, QueueServiceAsyncClient async, BlockingQueue<String> done) {
    queues.getQueueClient(QUEUE).createIfNotExists();
    queues.getQueueClient(QUEUE + "-poison").createIfNotExists();
    QueueAsyncClient poison = async.getQueueAsyncClient(QUEUE + "-poison");
    return OutboxWorker.of(
            async.getQueueAsyncClient(QUEUE),
            PoisonQueue.of(poison),
            message -> Mono.fromRunnable(() -> done.add(message.kind())))
        .with(OutboxWorker.Options.DEFAULT.withPollEvery(Duration.ofMillis(50)));
  }
}
