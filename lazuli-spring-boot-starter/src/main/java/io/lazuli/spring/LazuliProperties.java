package io.lazuli.spring;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings {@code lazuli.*} of an application.
 *
 * @param connectionString of a server or of Azure; without it the server of this machine with its
 *     usual ports
 * @param createTables whether tables of {@link StoredIn} types are created at the start
 * @param startWorkers whether the beans of type {@code OutboxWorker} start and stop with the
 *     application
 * @param inProcess whether a server in the application's process is used, for tests
 */
@ConfigurationProperties("lazuli")
public record LazuliProperties(
    @DefaultValue("UseDevelopmentStorage=true") String connectionString,
    @DefaultValue("true") boolean createTables,
    @DefaultValue("true") boolean startWorkers,
    @DefaultValue("false") boolean inProcess) {}
