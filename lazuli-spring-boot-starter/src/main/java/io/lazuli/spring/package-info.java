/**
 * Auto-configuration for Spring Boot 3 and 4: clients, typed tables and outbox workers as beans.
 */
@NullMarked
package io.lazuli.spring;

import org.jspecify.annotations.NullMarked;
