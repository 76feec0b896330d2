package io.lazuli.client;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks tests of operations that take effect once even if a response is lost and the SDK repeats
 * the request. In a rehearsal, a lost response does not excuse their failures.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface MadeOnce {}
