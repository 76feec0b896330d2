package com.example.staff;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Uses the server of {@code lazuli.connection-string}, or the one of this machine. */
@SpringBootApplication
public class StaffApplication {
  public static void main(String[] args) {
    SpringApplication.run(StaffApplication.class, args);
  }
}
