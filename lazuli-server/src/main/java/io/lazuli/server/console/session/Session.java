package io.lazuli.server.console.session;

import java.time.Instant;

/** A user who has signed in. */
public record Session(String user, Role role, Instant ends) {}
