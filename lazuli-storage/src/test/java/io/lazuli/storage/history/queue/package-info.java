/** Clients of a queue service, what they record, and the check of it. */
package io.lazuli.storage.history.queue;
