package io.lazuli.spring;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.config.ServerConfig;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * With {@code lazuli.in-process=true}, a server in the process of the application, for tests. Its
 * data is on the heap, and it stops with the application's context.
 */
@AutoConfiguration(before = LazuliAutoConfiguration.class)
@ConditionalOnProperty(prefix = "lazuli", name = "in-process", havingValue = "true")
@ConditionalOnMissingBean(LazuliConnectionDetails.class)
public class InProcessServerAutoConfiguration {
  /** The server, if it is on the class path. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(LazuliServer.class)
  static class Server {
    @Bean(destroyMethod = "close")
    LazuliServer lazuliServer() {
      return LazuliServer.start(ServerConfig.builder().freePorts().engine("memory").build());
    }

    @Bean
    LazuliConnectionDetails lazuliConnectionDetails(LazuliServer lazuliServer) {
      return lazuliServer::connectionString;
    }
  }

  /** Says what is missing. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingClass("io.lazuli.server.LazuliServer")
  static class Absent {
    @Bean
    LazuliConnectionDetails lazuliConnectionDetails() {
      throw new IllegalStateException(
          "lazuli.in-process needs the server: add io.lazuli:lazuli-junit in scope test");
    }
  }
}
