package com.example.staff;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.junit.LazuliExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** With a server that other tests of the JVM share. */
@SpringBootTest
class ExtensionTest {
  @RegisterExtension static final LazuliExtension LAZULI = new LazuliExtension().perJvm();

  @DynamicPropertySource
  static void address(DynamicPropertyRegistry registry) {
    registry.add("lazuli.connection-string", LAZULI::connectionString);
  }

  @Autowired Offices offices;

  @Test
  void employeesAreInTheirDepartment() {
    offices.hire(new Employee("Legal", "7", "Kwok"));
    assertThat(offices.of("Legal")).containsExactly(new Employee("Legal", "7", "Kwok"));
  }
}
