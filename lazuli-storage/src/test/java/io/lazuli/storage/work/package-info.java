/** Servers that share work, in simulated time. */
package io.lazuli.storage.work;
