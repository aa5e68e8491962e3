// The get_ticket server written by hand in plain Node, without an SDK and
// without schema validation beyond the handler's own check. It follows the
// lesson this project started from: one line in, one line out, the era decided
// by the first message.
import { createInterface } from "node:readline";

const VERSION = "2026-07-28";
const LEGACY = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const META = "io.modelcontextprotocol/";
const SERVER = { name: "helpdesk", version: "0.1.0" };
const BIG_SIZE = 1 << 20;

const option = (name) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};
const toolCount = Number(option("-tools") ?? 1);
const offersBig = process.argv.includes("-big");

const ticketId = { type: "string", pattern: "^[0-9]+$", description: "Ticket number, digits only, e.g. 2318" };
const TOOLS = [
  {
    name: "get_ticket",
    title: "Get ticket",
    description:
      "Fetch one support ticket by its number, with its subject, status and customer id. Ticket numbers are digits only, for example 2318.",
    inputSchema: { type: "object", properties: { ticket_id: ticketId }, required: ["ticket_id"], additionalProperties: false },
    outputSchema: {
      type: "object",
      properties: {
        ticket_id: { type: "string" },
        subject: { type: "string" },
        status: { type: "string", enum: ["open", "pending", "closed"] },
        customer_id: { type: "string" },
      },
      required: ["ticket_id", "subject", "status", "customer_id"],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
];
for (let i = 1; i < toolCount; i++) {
  TOOLS.push({
    name: `desk_action_${String(i).padStart(4, "0")}`,
    description: `Action number ${i} on a support ticket, there to make the list long. Ticket numbers are digits only, for example 2318.`,
    inputSchema: {
      type: "object",
      properties: { ticket_id: ticketId, note: { type: "string", maxLength: 2000, description: "What to write on the ticket" } },
      required: ["ticket_id"],
      additionalProperties: false,
    },
  });
}

// The large result is the same text as in the Go servers (package fixture).
function bigText() {
  const line =
    '2026-10-15 09:12:44 ticket 2318 "Charged twice for October" moved to open by agent Zoë; customer cus_1042 was told by mail.\n';
  const size = Buffer.byteLength(line);
  const lines = Math.floor(BIG_SIZE / size);
  return line.repeat(lines) + ".".repeat(BIG_SIZE - lines * size);
}
const BIG = offersBig ? bigText() : "";
if (offersBig) {
  TOOLS.push({
    name: "big_result",
    description: "Return a text of exactly 1 MiB.",
    inputSchema: { type: "object", additionalProperties: false },
  });
}

const TICKETS = new Map(
  [
    { ticket_id: "2318", subject: "Charged twice for October", status: "open", customer_id: "cus_1042" },
    { ticket_id: "2319", subject: "Class schedule not syncing to calendar", status: "pending", customer_id: "cus_0877" },
    { ticket_id: "2320", subject: "How do I add a second instructor?", status: "closed", customer_id: "cus_1310" },
  ].map((ticket) => [ticket.ticket_id, ticket]),
);

let legacy = false;

const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");
const fail = (id, code, message, data) => send({ jsonrpc: "2.0", id, error: { code, message, ...(data && { data }) } });
const reply = (id, result) => send({ jsonrpc: "2.0", id, result: { resultType: "complete", ...result } });

function callTool(id, params) {
  if (params?.name === "big_result" && offersBig) {
    return reply(id, { content: [{ type: "text", text: BIG }], isError: false });
  }
  if (params?.name !== "get_ticket") return fail(id, -32602, `Unknown tool: ${params?.name}`);
  const number = params.arguments?.ticket_id;
  const ticket = TICKETS.get(number);
  if (!ticket) {
    const text = `No ticket "${number}". Ticket numbers are digits only, for example 2318.`;
    return reply(id, { content: [{ type: "text", text }], isError: true });
  }
  reply(id, { content: [{ type: "text", text: JSON.stringify(ticket) }], structuredContent: ticket, isError: false });
}

function handle({ id, method, params }) {
  if (id === undefined) return; // A notification is never answered.
  if (method === "initialize") {
    legacy = true;
    const asked = params?.protocolVersion;
    return send({
      jsonrpc: "2.0",
      id,
      result: { protocolVersion: LEGACY.includes(asked) ? asked : LEGACY[0], capabilities: { tools: {} }, serverInfo: SERVER },
    });
  }
  if (!legacy) {
    const meta = params?._meta;
    for (const key of ["protocolVersion", "clientCapabilities"]) {
      if (meta?.[META + key] === undefined) return fail(id, -32602, `Missing _meta key ${META}${key}`);
    }
    const asked = meta[META + "protocolVersion"];
    if (asked !== VERSION) return fail(id, -32022, "Unsupported protocol version", { supported: [VERSION], requested: asked });
  }
  switch (method) {
    case "server/discover":
      return reply(id, { supportedVersions: [VERSION], capabilities: { tools: {} }, serverInfo: SERVER, ttlMs: 300000, cacheScope: "public" });
    case "tools/list":
      return reply(id, { tools: TOOLS, ttlMs: 300000, cacheScope: "public" });
    case "tools/call":
      return callTool(id, params);
    default:
      return fail(id, -32601, `Method not found: ${method}`);
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  if (line.trim() === "") return;
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return send({ jsonrpc: "2.0", error: { code: -32700, message: "Parse error" } });
  }
  if (message === null || typeof message !== "object" || Array.isArray(message)) {
    return send({ jsonrpc: "2.0", error: { code: -32600, message: "Invalid request" } });
  }
  handle(message);
});
