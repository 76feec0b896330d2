package com.example.staff;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.testcontainers.LazuliContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** With a server in a container, where there is an engine for containers and an image. */
@SpringBootTest
@Import(ContainerTest.Containers.class)
@EnabledIfEnvironmentVariable(named = "LAZULI_IMAGE", matches = ".+")
class ContainerTest {
  @TestConfiguration(proxyBeanMethods = false)
  static class Containers {
    @Bean
    @ServiceConnection
    LazuliContainer lazuli() {
      return new LazuliContainer(System.getenv("LAZULI_IMAGE"));
    }
  }

  @Autowired Offices offices;

  @Test
  void employeesAreInTheirDepartment() {
    offices.hire(new Employee("Sales", "1", "Jones"));
    assertThat(offices.of("Sales")).containsExactly(new Employee("Sales", "1", "Jones"));
  }
}
