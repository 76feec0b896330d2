package com.example.staff;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.queue.QueueServiceClient;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** With a server in the process of the test. */
@SpringBootTest(properties = "lazuli.in-process=true")
class OfficesTest {
  @Autowired Offices offices;
  @Autowired QueueServiceClient queues;
  @Autowired BlobServiceClient blobs;

  @Test
  void employeesAreInTheirDepartment() {
    offices.hire(new Employee("Sales", "1", "Jones"));
    assertThat(offices.of("Sales")).containsExactly(new Employee("Sales", "1", "Jones"));
    assertThat(offices.of("Legal")).isEmpty();
  }

  @Test
  void queuesAndBlobsAreThereToo() {
    queues.createQueue("orders").sendMessage("hello");
    assertThat(queues.getQueueClient("orders").receiveMessage().getBody()).hasToString("hello");
    blobs.createBlobContainer("pictures");
    assertThat(blobs.getBlobContainerClient("pictures").exists()).isTrue();
  }
}
