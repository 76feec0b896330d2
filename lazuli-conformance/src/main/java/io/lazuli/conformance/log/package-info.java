/** Request logs, as their readers find them. */
@org.jspecify.annotations.NullMarked
package io.lazuli.conformance.log;
