/** For tests: an API of orders, described the way a publisher would do it. */
export const ORDERS_YAML = `
openapi: 3.0.3
info: { title: Orders, version: "1" }
paths:
  /orders/{order_id}:
    parameters:
      - { name: order_id, in: path, required: true, schema: { type: string } }
    get:
      operationId: getOrder
      parameters:
        - { name: expand, in: query, schema: { type: string } }
        - { name: Host, in: header, schema: { type: string } }
      responses:
        "200":
          content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } }
  /orders:
    post:
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } }
      responses: { "201": { description: made } }
components:
  schemas:
    Order:
      type: object
      properties:
        total: { type: number }
        replaces: { $ref: "#/components/schemas/Order" }
`;
